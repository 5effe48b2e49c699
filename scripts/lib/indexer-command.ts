import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** All sources that affect the index. Ponder's own build id covers only the first of these. */
const SOURCES = ["indexer", "protocol", "ponder.config.ts"];

/**
 * Ponder's scratch directory; ignored by git, not a source. Where the code is on a read-only disk,
 * it is a link to a writable place.
 */
export const SCRATCH = ".ponder";

/** Types for editors, which Ponder writes at each start. */
export const PONDER_TYPES = "ponder-env.d.ts";

/** Ponder's program, which compiles the indexer's code at each start. */
const INSTALLED_PONDER = "node_modules/ponder/dist/esm/bin/ponder.js";
/** Ponder's program in a built service, with the indexer's code. */
const BUILT_PONDER = "scripts/ponder.js";
const BUILT_SERVICE = import.meta.filename.endsWith(".ts") ? undefined : ROOT;

/** The Postgres schema whose views the API reads, for every build of the indexer. */
export const VIEWS_SCHEMA = "chain";

/**
 * The Postgres schema of this build of the indexer: `indexer_` and 12 hex digits of a hash over its
 * sources, and over the deployment file when one is given. Ponder resumes or rejects a schema by
 * its own root folder only, and ignores `protocol/`. With the hash in the name, changed code or
 * another deployment has a new schema, and unchanged code resumes.
 */
export function indexerSchemaName(deploymentPath?: string): string {
  const hash = createHash("sha256");
  for (const source of schemaSources()) {
    hash.update(`${source}\0`);
    hash.update(
      createHash("sha256")
        .update(readFileSync(join(ROOT, source)))
        .digest(),
    );
  }
  if (deploymentPath !== undefined) hash.update(readFileSync(deploymentPath));
  return `indexer_${hash.digest("hex").slice(0, 12)}`;
}

/** The files that the schema's name is made from, by their paths from the root. */
export function schemaSources(): string[] {
  return SOURCES.flatMap((source) => filesUnder(join(ROOT, source)))
    .sort()
    .map((file) => relative(ROOT, file).split(sep).join("/"));
}

export interface IndexerOptions {
  /** Postgres, with the right to create schemas. */
  databaseUrl: string;
  /** HTTP RPC of the chain: one URL, or several separated by commas. */
  rpcUrl: string;
  /** WebSocket RPC; without it new blocks are polled once a second. */
  wsUrl?: string | undefined;
  /** Port of Ponder's own server, on loopback. */
  port: number;
  deploymentPath: string;
  /** Default: {@link indexerSchemaName} of the deployment. */
  schema?: string | undefined;
  /** The folder of a built service whose Ponder runs. Default: the one that this code is in, if any. */
  service?: string | undefined;
}

export interface Command {
  command: string;
  args: string[];
  /** Ponder writes its GraphQL schema into the working directory, so it gets its own. */
  cwd: string;
  /**
   * The signal for a clean stop. On SIGTERM the bundler of Ponder as it is installed exits before Ponder has
   * released its schema, and the next start waits up to 25 seconds for the lock to expire.
   */
  stopSignal: "SIGINT";
  /** To be added to the environment of the process that spawns it. */
  env: Record<string, string>;
}

/**
 * The command that starts the indexer. Its server answers `/health` once it runs and `/ready` once
 * every final block is indexed. Later blocks (30 on Base and on a local chain) follow with the
 * chain's next block.
 */
export function indexerCommand(options: IndexerOptions): Command {
  const { service = BUILT_SERVICE } = options;
  const cwd = scratchDirectory();
  mkdirSync(cwd, { recursive: true });
  return {
    command: process.execPath,
    cwd,
    stopSignal: "SIGINT",
    args: [
      service === undefined ? join(ROOT, INSTALLED_PONDER) : join(service, BUILT_PONDER),
      "start",
      "--root",
      join(ROOT, "indexer"),
      "--schema",
      options.schema ?? indexerSchemaName(options.deploymentPath),
      "--hostname",
      "127.0.0.1",
      "--port",
      String(options.port),
      "--log-format",
      "json",
    ],
    env: {
      DATABASE_URL: options.databaseUrl,
      RPC_URL: options.rpcUrl,
      RPC_WS_URL: options.wsUrl ?? "",
      SVC_DEPLOYMENT: resolve(options.deploymentPath),
      // Ponder prefers these to the arguments above.
      DATABASE_PRIVATE_URL: "",
      PORT: String(options.port),
      PONDER_TELEMETRY_DISABLED: "1",
    },
  };
}

function scratchDirectory(): string {
  const path = join(ROOT, "indexer", SCRATCH);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? readlinkSync(path) : path;
}

/** The TypeScript sources. */
function filesUnder(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.name !== PONDER_TYPES)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => relative(path, file).split(sep)[0] !== SCRATCH);
}
