import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createPublicClient, http, type PublicClient } from "viem";
import { z } from "zod";
import { type EnvironmentVariables, parseEnvironment } from "../../api/platform/config/config.ts";
import { readDeployment } from "../../api/platform/config/deployment.ts";
import { ENVIRONMENT_SECTIONS } from "../../api/platform/config/environment.ts";
import { connectDatabase } from "../../api/platform/database/connect.ts";
import { migrate } from "../../api/platform/database/migrate.ts";
import { createLog, redactText } from "../../api/platform/log/log.ts";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { createGateway } from "../../api/platform/storage/gateways.ts";
import { createStorageHttp } from "../../api/platform/storage/http.ts";
import { createStorageItems } from "../../api/platform/storage/items.store.ts";
import { createReader } from "../../api/platform/storage/reader.ts";
import { isStorageId } from "../../protocol/index.ts";
import { helpText, readArguments, UsageError } from "../lib/usage.ts";
import { rebuiltItems } from "./items.ts";
import { type Report, rebuildEverything, recordedStates, type States, written } from "./report.ts";

export interface RestoreParts {
  readonly environment: EnvironmentVariables;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const { DATABASE_URL, MIGRATION_DATABASE_URL } = ENVIRONMENT_SECTIONS.Database.shape;
const { RPC_URL, SVC_DEPLOYMENT, CONFIRMATIONS } = ENVIRONMENT_SECTIONS.Chain.shape;
const { STORAGE_PRIVATE_KEY } = ENVIRONMENT_SECTIONS.Secrets.shape;
const { STORAGE_DRIVER, GATEWAY_URLS } = ENVIRONMENT_SECTIONS["Permanent storage"].shape;

/** What the command reads of the service's environment. */
const RestoreEnvironment = z.object({
  DATABASE_URL,
  MIGRATION_DATABASE_URL,
  RPC_URL,
  SVC_DEPLOYMENT,
  CONFIRMATIONS,
  STORAGE_DRIVER,
  STORAGE_PRIVATE_KEY,
  GATEWAY_URLS,
});

/** No client waits for this, so a slow gateway may take long. */
const GATEWAY_TIMEOUT_MS = 30_000;
const POLL_MS = 200;

/** Runs the command. @returns its exit status. */
export async function restoreCommand(
  args: readonly string[],
  { environment, print, complain }: RestoreParts,
): Promise<number> {
  try {
    const { values } = readArguments({
      args: [...args],
      options: {
        record: { type: "string" },
        compare: { type: "string" },
        items: { type: "string" },
        wait: { type: "string", default: "0" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      print(helpText("restore-verify"));
      return 0;
    }
    const { record, compare, items, wait } = values;
    if (!/^\d{1,6}$/.test(wait)) throw new UsageError("--wait takes a number of seconds");
    if (record !== undefined) return await recordStates(record, environment, print);
    const report = await restore(environment, {
      ids: items === undefined ? [] : idsIn(items),
      before: compare === undefined ? null : readStates(compare),
      waitMs: Number(wait) * 1000,
    });
    print(values.json ? `${JSON.stringify(report, null, 2)}\n` : written(report));
    return report.isComplete ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage = error instanceof UsageError;
    complain(`${redactText(error.message)}${isUsage ? ". See --help." : ""}\n`);
    return isUsage ? 2 : 1;
  }
}

async function recordStates(
  path: string,
  environment: EnvironmentVariables,
  print: (text: string) => void,
): Promise<number> {
  const { DATABASE_URL: url } = parseEnvironment(z.object({ DATABASE_URL }), environment);
  const states = await withClient(url, recordedStates);
  writeFileSync(path, `${JSON.stringify(states, null, 2)}\n`);
  print(`Wrote the hashes of ${Object.keys(states).length} tables to ${path}.\n`);
  return 0;
}

function readStates(path: string): States {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as States;
  } catch {
    throw new UsageError(`${path} is not a file that --record wrote`);
  }
}

function idsIn(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  const ids = lines.map((line) => line.trim()).filter((line) => line !== "");
  const wrong = ids.find((id) => !isStorageId(id));
  if (wrong !== undefined)
    throw new UsageError(`${path} has a line that is no storage id: ${wrong}`);
  return ids;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {
    // A connection that breaks also rejects its statement.
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface RestoreOptions {
  readonly ids: readonly string[];
  readonly before: States | null;
  readonly waitMs: number;
}

async function restore(
  environment: EnvironmentVariables,
  { ids, before, waitMs }: RestoreOptions,
): Promise<Report> {
  const values = parseEnvironment(RestoreEnvironment, environment);
  const { chainId } = await readDeployment(values.SVC_DEPLOYMENT);
  const [rpcUrl] = values.RPC_URL;
  const chain = createPublicClient({ transport: http(rpcUrl) });
  const answered = await chain.getChainId();
  if (answered !== chainId)
    throw new Error(`RPC_URL serves chain ${answered}, and SVC_DEPLOYMENT is of chain ${chainId}.`);
  await migrate(values.DATABASE_URL, values.MIGRATION_DATABASE_URL);
  const storage = createStorageHttp();
  const log = createLog("silent");
  const { db, close } = connectDatabase(values.DATABASE_URL, log);
  try {
    return await withClient(values.DATABASE_URL, async (client) => {
      const head = await indexedHead(client, chain, waitMs);
      const clock = () => new Date();
      const store = createStorageItems(db, clock);
      const gateways = values.GATEWAY_URLS.map((url) =>
        createGateway({ url, http: storage, timeoutMs: GATEWAY_TIMEOUT_MS }),
      );
      const signer = createItemSigner(values.STORAGE_PRIVATE_KEY);
      const reader = createReader({
        items: store,
        signer,
        gateways,
        clock,
        order: "copy",
        patienceMs: GATEWAY_TIMEOUT_MS,
        pause: (ms, signal) => delay(ms, undefined, { signal }),
        log,
        observe: () => {},
      });
      const isUploaded = values.STORAGE_DRIVER === "bundler";
      return rebuildEverything({
        client,
        items: rebuiltItems({ items: store, gateways, reader, signer, isUploaded }),
        ids,
        before,
        settledBlock: head - BigInt(values.CONFIRMATIONS - 1),
      });
    });
  } finally {
    await close();
    await storage.close();
  }
}

/**
 * The chain's head, once the index has it.
 *
 * @throws Error when the index is not ready in time.
 */
async function indexedHead(
  client: pg.Client,
  chain: PublicClient,
  waitMs: number,
): Promise<bigint> {
  const head = await chain.getBlockNumber({ cacheTime: 0 });
  const deadline = performance.now() + waitMs;
  for (;;) {
    const indexed = await indexedBlock(client);
    if (indexed !== null && indexed >= head) return head;
    if (performance.now() >= deadline) {
      const state = indexed === null ? "has not read the chain" : `is at block ${indexed}`;
      throw new Error(
        `The index ${state}, and the chain is at block ${head}. Run npm run indexer, and give it time with --wait.`,
      );
    }
    await delay(POLL_MS);
  }
}

/** Null before the index has read the chain's history. */
async function indexedBlock(client: pg.Client): Promise<bigint | null> {
  const views = await client.query("select to_regclass('chain._ponder_checkpoint') as name");
  if (views.rows[0]?.name == null) return null;
  const { rows } = await client.query<{ block: string | null; ready: string | null }>(
    `select (select max(substr(latest_checkpoint, 27, 16)) from chain._ponder_checkpoint) as block,
       (select value ->> 'is_ready' from chain._ponder_meta where key = 'app') as ready`,
  );
  const [row] = rows;
  return row?.ready === "1" && row.block != null ? BigInt(row.block) : null;
}
