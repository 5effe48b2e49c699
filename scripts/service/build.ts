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
import { build, type Plugin } from "esbuild";
import { RENDERED_GUIDES_FILE, renderGuides } from "../../api/features/guides/build.ts";
import { BUNDLED_ASSETS_FILE, bundlePageAssets } from "../../api/pages/assets.ts";
import { PONDER_TYPES, SCRATCH, schemaSources } from "../lib/indexer-command.ts";
import { UsageError } from "../lib/usage.ts";
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

/** What processes load by its address, and not by an import. */
export const LOADED_BY_ADDRESS = ["api/soul/text/worker.ts"];

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

/** Where Ponder begins. It compiles these TypeScript sources, and what they import, itself. */
const RUN_BY_PONDER = ["indexer/ponder.{config,schema}.ts", "indexer/src/**/*.ts"];
/** The settings of its compiler. */
const COMPILER_SETTINGS = "tsconfig.json";

/** What an installation for it holds, see `billOfMaterials`. */
const SBOM = "sbom.cdx.json";

/** Where Ponder writes when the code is on a read-only disk. */
const INDEXER_SCRATCH = join(tmpdir(), "svc-indexer");

/**
 * Writes the service into an empty folder, so that its processes compile and bundle nothing when
 * they start: one JavaScript file for each source, the pages' scripts and style, the rendered
 * documents with their index, and the data that the code reads. Packages are not included.
 *
 * @param out Its `node_modules` may be there already.
 * @param compileEntries Default: one file for each source.
 * @throws UsageError when the folder holds anything else.
 */
export async function buildService(
  out: string,
  compileEntries: (entries: readonly string[], out: string) => Promise<void> = compileApart,
): Promise<void> {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).some((name) => name !== "node_modules")) {
    throw new UsageError(`${out} is not empty. Remove it, or give another folder.`);
  }
  await compileEntries(entryPoints(), out);
  copy([...DATA, COMPILER_SETTINGS, ...(await indexerSources())], out);
  writeJson(placeOf(BUNDLED_ASSETS_FILE, out), bundlePageAssets());
  writeJson(placeOf(RENDERED_GUIDES_FILE, out), renderGuides());
  writeJson(
    join(out, SBOM),
    billOfMaterials(readJson("package-lock.json"), readJson("package.json")),
  );
  linkScratch(join(out, "indexer"));
}

function entryPoints(): string[] {
  return [...SERVICE_COMMANDS.map((name) => `scripts/${name}.ts`), ...LOADED_BY_ADDRESS];
}

/** What the indexer imports, and what names its schema: the build must have the clone's name. */
async function indexerSources(): Promise<string[]> {
  const imported = await sourcesOf(globSync(RUN_BY_PONDER, { cwd: ROOT }));
  return [...imported, ...schemaSources()];
}

async function compileApart(entries: readonly string[], out: string): Promise<void> {
  await compile(await sourcesOf(entries), out);
}

/** Every source that the entry points import, directly or through others. */
async function sourcesOf(entries: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    outdir: "unused",
    write: false,
    bundle: true,
    metafile: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs);
}

/** Compiles each source into a file of its own, because many find their data beside themselves. */
async function compile(sources: readonly string[], out: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources],
    outbase: ROOT,
    outdir: out,
    bundle: true,
    packages: "external",
    plugins: [compiledImports],
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "silent",
  });
}

/** Leaves every import in place, and points it at the compiled file. */
const compiledImports: Plugin = {
  name: "compiled-imports",
  setup(compiler) {
    compiler.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/\.tsx?$/, ".js"), external: true },
    );
  },
};

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
