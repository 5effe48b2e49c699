import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { readJson } from "../../lib/json-file.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Everything that the bundle is made from, packages aside. */
const SOURCES = [
  "{api,deployments,docs,indexer,kit,protocol,scripts,web}/**/*",
  "{hardhat,ponder}.config.ts",
  "tsconfig{,.server}.json",
  "package{,-lock}.json",
  ".env.example",
  ".npmrc",
  "LICENSE",
];
const NO_SOURCES = [
  "**/node_modules",
  "**/.ponder",
  "indexer/ponder-env.d.ts",
  // Made by `npm run build`.
  "kit/{dist,LICENSE}",
  "kit/contracts/{erc8004,examples,interfaces,libraries,openzeppelin}",
];

/** Written last: a folder without it is not a bundle. */
const MANIFEST = "manifest.json";
const USER_PREFIX = "used-by-";

/** The programs of a bundle. */
const PROGRAMS = {
  "api/server.ts": "service/api/server.js",
  "scripts/local-stack/chain-process.ts": "tools/scripts/local-stack/chain-process.js",
  "scripts/local-stack/postgres-process.ts": "tools/scripts/local-stack/postgres-process.js",
  "scripts/local-stack/start-command.ts": "tools/scripts/local-stack/start-command.js",
  "scripts/indexer.ts": "service/scripts/indexer.js",
  "scripts/ponder.ts": "service/scripts/ponder.js",
} as const;
export type BundledProgram = keyof typeof PROGRAMS;

interface Manifest {
  /** Size and time of each package's file that went in, by its path from the root. */
  readonly packages: Readonly<Record<string, string>>;
}

/** A PostgreSQL cluster that has all tables and no rows. */
export const CLUSTER = "cluster";

/** What a start of the local stack needs not make: its programs, compiled with their packages. */
export interface Bundle {
  /** Environment of a program that runs from here. */
  readonly environment: Readonly<Record<string, string>>;
  /** The compiled file of a program; undefined when the bundle was removed meanwhile. */
  programOf(program: BundledProgram): string | undefined;
  /**
   * The directory of a cluster to copy, with all tables and no rows; undefined when the bundle was
   * removed meanwhile.
   */
  cluster(): string | undefined;
}

/** Where bundles are kept. Its folders may be removed at any time when no stack runs. */
export const BUNDLES = join(ROOT, ".local", "cache", "bundles");

/**
 * The bundle of exactly these sources and packages; undefined without one. It is kept while this
 * process runs.
 */
export function findBundle(cache: string = BUNDLES, root: string = ROOT): Bundle | undefined {
  const folder = takeBundle(cache, root);
  if (folder === undefined) return undefined;
  const pathOf = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? path : undefined;
  };
  return {
    environment: { NODE_COMPILE_CACHE: compileCacheOf(folder) },
    programOf: (program) => pathOf(PROGRAMS[program]),
    cluster: () => pathOf(CLUSTER),
  };
}

/**
 * The folder of a bundle of exactly these sources and packages; undefined without one. It is kept
 * while this process runs.
 */
export function takeBundle(cache: string, root: string = ROOT): string | undefined {
  const folders = existsSync(cache) ? readdirSync(cache) : [];
  if (folders.length === 0) return undefined;
  const key = keyOf(root);
  const folder = folders
    .filter((name) => name.startsWith(`${key}-`))
    .map((name) => join(cache, name))
    .find((path) => isCurrent(path, root));
  if (folder !== undefined) writeFileSync(join(folder, `${USER_PREFIX}${process.pid}`), "");
  return folder;
}

/**
 * Writes the bundle of these sources, unless there is one, and removes bundles of other sources.
 * Until it is whole, no stack finds it: a builder may be killed at any time.
 *
 * @param write writes the programs and returns every file that went in, from the root.
 */
export async function makeBundle(
  write: (folder: string) => Promise<readonly string[]>,
  cache: string = BUNDLES,
  root: string = ROOT,
): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const key = keyOf(root);
  const names = readdirSync(cache);
  if (names.some((name) => name.startsWith(`${key}-`) && isCurrent(join(cache, name), root)))
    return;
  const folder = join(cache, `${key}-${randomBytes(4).toString("hex")}`);
  mkdirSync(folder);
  // In use from the beginning, so that another builder leaves it alone.
  const use = join(folder, `${USER_PREFIX}${process.pid}`);
  writeFileSync(use, "");
  try {
    const inputs = await write(folder);
    const known = new Set(sourcesIn(root));
    const isPackage = (path: string) => path.split("/").includes("node_modules");
    const unknown = inputs.find((path) => !isPackage(path) && !known.has(path));
    if (unknown !== undefined) {
      throw new Error(`${unknown} goes into the bundle, but not into its key. Add it to SOURCES.`);
    }
    const packages = inputs
      .filter(isPackage)
      .map((path): [string, string] => [path, stampOf(join(root, path))]);
    // A source that changed while the bundle was made may be in it in part.
    if (keyOf(root) !== key) throw new Error("The sources changed while the bundle was made.");
    const manifest: Manifest = { packages: Object.fromEntries(packages) };
    writeFileSync(join(folder, `${MANIFEST}.new`), JSON.stringify(manifest));
    renameSync(join(folder, `${MANIFEST}.new`), join(folder, MANIFEST));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  rmSync(use);
  for (const name of names) {
    const path = join(cache, name);
    if (!isUsed(path)) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Runs the programs once, so that the first stack that runs them finds them compiled to byte code.
 *
 * @throws Error when one does not load.
 */
export async function runOnce(folder: string): Promise<void> {
  const options = { env: { ...process.env, NODE_COMPILE_CACHE: compileCacheOf(folder) } };
  const run = promisify(execFile);
  for (const program of ["api/server.ts", "scripts/local-stack/start-command.ts"] as const) {
    const path = JSON.stringify(join(folder, PROGRAMS[program]));
    await run(process.execPath, ["-e", `import(${path}).then(() => process.exit())`], options);
  }
  await run(process.execPath, [join(folder, PROGRAMS["scripts/ponder.ts"]), "--version"], options);

  const chain = join(folder, PROGRAMS["scripts/local-stack/chain-process.ts"]);
  const directory = mkdtempSync(join(tmpdir(), "svc-chain-"));
  const running = run(process.execPath, [chain, "0", directory, new Date().toISOString()], options);
  running.child.stdout?.on("data", (text) => {
    if (/^ready$/m.test(String(text))) running.child.kill("SIGTERM");
  });
  await running.finally(() => rmSync(directory, { recursive: true, force: true }));
}

function compileCacheOf(folder: string): string {
  return join(folder, "compile-cache");
}

function isCurrent(folder: string, root: string): boolean {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return false;
  return Object.entries(readJson<Manifest>(path).packages).every(
    ([file, stamp]) => stampOf(join(root, file)) === stamp,
  );
}

function isUsed(folder: string): boolean {
  // Another builder may remove it as well.
  return globSync("*", { cwd: folder })
    .filter((name) => name.startsWith(USER_PREFIX))
    .some((name) => isAlive(Number(basename(name).slice(USER_PREFIX.length))));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Empty when there is no such file. */
function stampOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? "" : `${status.size} ${status.mtimeMs}`;
}

function sourcesIn(root: string): string[] {
  return globSync(SOURCES, { cwd: root, exclude: NO_SOURCES, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Names the sources, with their content, the version of Node, and the platform. */
function keyOf(root: string): string {
  const hash = createHash("sha256").update(
    `${process.version} ${process.platform} ${process.arch}`,
  );
  for (const path of sourcesIn(root)) {
    hash.update(`\0${path}\0`).update(
      createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest(),
    );
  }
  return hash.digest("hex").slice(0, 24);
}
