import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import type { GeneratedFile } from "./generated-file.ts";

const FOLDER = "compiled";
export const SOURCES_HASH_FILE = `${FOLDER}/sources.sha256`;
const STAMP = "artifacts/.toolchain-stamp";

/**
 * What the compiler wrote about the contracts, and the hash of their sources: scripts/with-toolchain
 * copies it into a clone with the same sources, which then needs no compiler.
 *
 * @throws when the compiler has not run in this clone: a copy would prove nothing about the sources.
 */
export function contractArtifacts(): GeneratedFile[] {
  const stamp = join(ROOT, STAMP);
  const [hash, madeBy] = existsSync(stamp) ? readFileSync(stamp, "utf8").trim().split(" ") : [];
  if (!hash || madeBy !== "compiled") {
    throw new Error(
      "The contracts were not compiled in this clone. Run: scripts/with-toolchain --compile true",
    );
  }
  const compiled = globSync("**/*.json", { cwd: join(ROOT, "artifacts/contracts") }).toSorted();
  return [
    { path: SOURCES_HASH_FILE, content: `${hash}\n` },
    ...compiled.map((path) => ({
      path: `${FOLDER}/contracts/${path}`,
      content: withoutBuild(readFileSync(join(ROOT, "artifacts/contracts", path), "utf8")),
    })),
  ];
}

interface Artifact {
  readonly buildInfoId?: string;
  readonly immutableReferences?: Readonly<Record<string, readonly { readonly start: number }[]>>;
}

/**
 * An artifact without what depends on the build: its id, and the numbers of the immutables, which
 * the compiler counts over all files that it compiles at once. Here they count by place in the code.
 */
function withoutBuild(artifact: string): string {
  const { buildInfoId: _, ...rest } = JSON.parse(artifact) as Artifact;
  const byPlace = Object.values(rest.immutableReferences ?? {}).toSorted(
    ([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0),
  );
  return `${JSON.stringify({ ...rest, immutableReferences: { ...byPlace } }, null, 2)}\n`;
}
