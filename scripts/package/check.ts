import { rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { buildPackage } from "./build.ts";
import { KIT, kitEntries } from "./entries.ts";
import { kilobytes, measureSizes, recordedSizes, sizeChanges } from "./sizes.ts";

/** What is checked of the package, and the size of each entry. */
export interface PackageReport {
  /** Empty when nothing is wrong. */
  readonly problems: string;
  readonly summary: string;
}

/** Builds the package, and checks what it would publish: its manifest, its types and its sizes. */
export async function checkPackage(): Promise<PackageReport> {
  await buildPackage();
  const measured = await measureSizes();
  const changes = sizeChanges(recordedSizes(), measured);
  if (changes.length > 0) {
    changes.push("Run npm run build -- --record-sizes and npm run generate if that is intended.");
  }
  const problems = [await manifestProblems(), await typeProblems(), ...changes];
  return {
    problems: problems.filter((problem) => problem !== "").join("\n"),
    summary: Object.entries(measured)
      .map(([subpath, bytes]) => `${subpath} ${kilobytes(bytes)}`)
      .join(", "),
  };
}

async function manifestProblems(): Promise<string> {
  const { exitCode, output } = await run("publint", [KIT, "--strict", "--pack", "false"]);
  return exitCode === 0 ? "" : output;
}

async function typeProblems(): Promise<string> {
  const packed = await run("npm", [
    ...["pack", KIT, "--ignore-scripts", "--json", "--pack-destination", KIT],
  ]);
  const tarball = join(KIT, tarballName(packed.output));
  try {
    const entries = kitEntries().map(({ subpath }) => subpath);
    const { exitCode, output } = await run("attw", [
      ...[tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"],
      ...["--entrypoints", ...entries],
    ]);
    return exitCode === 0 ? "" : output;
  } finally {
    rmSync(tarball, { force: true });
  }
}

/** The name of the file that `npm pack --json` wrote. */
export function tarballName(output: string): string {
  const report: unknown = JSON.parse(output.slice(output.search(/^[[{]/m)));
  const packages = Array.isArray(report) ? report : Object.values(report as object);
  return String((packages[0] as { filename: string }).filename);
}
