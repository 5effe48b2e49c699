import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ROOT } from "../../scripts/lib/artifacts.ts";
import { buildPackage } from "../../scripts/package/build.ts";
import { tarballName } from "../../scripts/package/check.ts";
import { KIT, kitManifest } from "../../scripts/package/entries.ts";

/** The package as a stranger gets it: built, packed and unpacked. */
export interface PackedPackage {
  /**
   * A new folder where the package is installed. Its dependencies and its required peer are those of
   * this repository, so that no test needs a network.
   *
   * @param packages Further packages of this repository.
   */
  project(files: Readonly<Record<string, string>>, packages?: readonly string[]): string;
  remove(): void;
}

export async function packPackage(): Promise<PackedPackage> {
  await buildPackage();
  const home = mkdtempSync(join(tmpdir(), "svc-package-"));
  const output = execFileSync(
    "npm",
    ["pack", KIT, "--ignore-scripts", "--json", "--pack-destination", home],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  execFileSync("tar", ["-xzf", join(home, tarballName(output)), "-C", home]);
  const { name, dependencies, peerDependencies } = kitManifest();
  const needed = [...Object.keys(dependencies), ...Object.keys(peerDependencies)].filter(
    // Its types alone are used, and only with Hono: a project without it must work.
    (dependency) => dependency !== "hono",
  );
  let count = 0;
  return {
    project(files, packages = []) {
      count += 1;
      const folder = join(home, `project-${count}`);
      const modules = join(folder, "node_modules");
      mkdirSync(modules, { recursive: true });
      // A copy, not a link: a link would find every package of this repository.
      cpSync(join(home, "package"), join(modules, name), { recursive: true });
      for (const dependency of [...needed, ...packages]) {
        mkdirSync(dirname(join(modules, dependency)), { recursive: true });
        symlinkSync(installed(dependency), join(modules, dependency));
      }
      const all = { "package.json": '{ "type": "module", "private": true }', ...files };
      for (const [path, text] of Object.entries(all)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      return folder;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A package of this repository. */
function installed(name: string): string {
  const own = join(KIT, "node_modules", name);
  return existsSync(own) ? own : join(ROOT, "node_modules", name);
}

export interface Ended {
  readonly code: number;
  /** Standard output, and then standard error. */
  readonly output: string;
}

/** Runs a program to its end. */
export function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        resolve({ code, output: `${stdout}${stderr}` });
      },
    );
  });
}

/**
 * A Node of this major version: the one that runs the tests, the one that the environment variable
 * `SVC_NODE_<major>` names, or one on PATH. Null without one.
 */
export function findNode(major: number): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const named = process.env[`SVC_NODE_${major}`];
  const candidates = [
    process.execPath,
    named ?? "",
    ...folders.flatMap((folder) => [join(folder, "node"), join(folder, `node${major}`)]),
  ];
  return candidates.find((path) => existsSync(path) && majorOf(path) === major) ?? null;
}

function majorOf(path: string): number {
  try {
    return Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]);
  } catch {
    return 0;
  }
}
