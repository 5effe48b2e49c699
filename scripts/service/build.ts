import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLED_ASSETS_FILE, bundlePageAssets } from "../../web/assets.ts";
import { RENDERED_GUIDES_FILE, renderGuides } from "../../web/guides/build.ts";
import { PONDER_TYPES, SCRATCH, schemaSources } from "../lib/indexer-command.ts";
import { UsageError } from "../lib/usage.ts";
import { compileWhole } from "./compile.ts";
import { indexerCode } from "./indexer-code.ts";
import { billOfMaterials } from "./sbom.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The commands of an operator, which need neither a compiler nor a test tool. */
const SERVICE_COMMANDS = [
  "api",
  "worker",
  "indexer",
  "migrate",
  "secrets",
  "doctor",
  "jobs",
  "restore-verify",
] as const;

/** The commands, what the indexer starts, and the API as the local stack starts it. */
const PROGRAMS = [
  "api/server.ts",
  "scripts/ponder.ts",
  ...SERVICE_COMMANDS.map((name) => `scripts/${name}.ts`),
] as const;

/** A thread's program, which is loaded by its address. */
const THREAD = "api/soul/text/worker.ts";

/** Read at run time, beside the code. */
const DATA = [
  ...SERVICE_COMMANDS.map((name) => `scripts/help/${name}.txt`),
  ".env.example",
  "LICENSE",
  "api/platform/database/migrations/**",
  "api/reference/examples.json",
  "deployments/base{,-sepolia}.json",
  // With these, `npm ci --omit=dev` in the folder installs the packages.
  ".npmrc",
  "package{,-lock}.json",
  "kit/package.json",
];

/** What an installation for it holds, see `billOfMaterials`. */
const SBOM = "sbom.cdx.json";

/** Where Ponder writes when the code is on a read-only disk. */
const INDEXER_SCRATCH = join(tmpdir(), "svc-indexer");

/**
 * Writes the service into an empty folder, so that its processes compile and bundle nothing when
 * they start: its programs with their packages, the pages' scripts and style, the rendered documents
 * with their index, and the data that the code reads. The few packages that must be installed, see
 * {@link compileWhole}, are not included.
 *
 * @param out Its `node_modules` may be there already.
 * @returns the files that went into the programs, from the root.
 * @throws UsageError when the folder holds anything else.
 */
export async function buildService(out: string): Promise<readonly string[]> {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).some((name) => name !== "node_modules")) {
    throw new UsageError(`${out} is not empty. Remove it, or give another folder.`);
  }
  const inputs = [
    ...(await compileWhole({
      entries: PROGRAMS,
      out,
      toRoot: "../",
      plugins: [await indexerCode()],
    })),
    ...(await compileWhole({ entries: [THREAD], out, toRoot: "../../../" })),
  ];
  // The index is named after its sources: the build's has the clone's name.
  copy([...DATA, ...schemaSources()], out);
  writeJson(placeOf(BUNDLED_ASSETS_FILE, out), bundlePageAssets());
  writeJson(placeOf(RENDERED_GUIDES_FILE, out), renderGuides());
  writeJson(
    join(out, SBOM),
    billOfMaterials(readJson("package-lock.json"), readJson("package.json")),
  );
  linkScratch(join(out, "indexer"));
  return inputs;
}

function copy(patterns: readonly string[], out: string): void {
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true });
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const isOwn = !relative(ROOT, path).split("/").includes("node_modules");
    if (file.isFile() && isOwn && file.name !== PONDER_TYPES) {
      cpSync(path, join(out, relative(ROOT, path)));
    }
  }
}

/** Ponder writes into the folder of its sources at each start. */
function linkScratch(indexer: string): void {
  rmSync(join(indexer, SCRATCH), { recursive: true, force: true });
  symlinkSync(INDEXER_SCRATCH, join(indexer, SCRATCH));
  symlinkSync(join(INDEXER_SCRATCH, PONDER_TYPES), join(indexer, PONDER_TYPES));
}

function placeOf(file: URL, out: string): string {
  return join(out, relative(ROOT, fileURLToPath(file)));
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8")) as T;
}

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
