import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexerSchemaName } from "../../scripts/lib/indexer-command.ts";
import { type FaultyNode, startFaultyNode } from "../fixtures/faulty-node.ts";
import { type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, spawnIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { indexedUpTo } from "./indexed-up-to.ts";
import { mixedOperations, randomNumbers } from "./mixed-operations.ts";
import { TABLES, tableHashes } from "./rows.ts";

// The indexer is killed at random moments while operations go on, always on one schema. `SOAK=1`
// for 100 kills; it prints what they did.

const KILLS = process.env.SOAK ? 100 : 3;
const SEED = 20_261_123;
/** So that most of the chain is final, and a restart would show if it read that again. */
const OPERATIONS_BEFORE = 40;
/** The longest life of an indexer: about one start on a quiet machine, and some seconds more. */
const LONGEST_LIFE_MS = 8_000;
/** Pause between operations: an indexer that lives for seconds must be able to catch up. */
const OPERATION_MS = 700;
const PATIENCE_MS = process.env.SOAK ? 3_600_000 : 300_000;
const WAIT_MS = 120_000;

/** What one start of the indexer did until it was killed. */
interface Start {
  /** The last block that was safe from being read again, before it started. */
  readonly safeBlock: number;
  readonly resumed: boolean;
  readonly readyMs: number | null;
  /** First blocks of the ranges that it indexed from history. */
  readonly indexedFrom: readonly number[];
  /** First blocks of the ranges whose logs it asked the node for. */
  readonly askedFrom: readonly number[];
}

let chain: IndexedChain;
let node: FaultyNode;
let database: TestDatabase;
let pool: pg.Pool;
let schema: string;

beforeAll(async () => {
  chain = await startIndexedChain();
  node = await startFaultyNode(chain.rpcUrl);
  database = await createDatabase();
  // One connection, so that every other one is the indexer's.
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  schema = indexerSchemaName(chain.deploymentPath);
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
  await node?.stop();
  await chain?.stop();
});

const place = () => ({
  databaseUrl: database.url,
  deploymentPath: chain.deploymentPath,
  rpcUrl: node.url,
  wsUrl: node.wsUrl,
});

async function caughtUp(of: pg.Pool): Promise<void> {
  const block = await chain.client.getBlockNumber({ cacheTime: 0 });
  await indexedUpTo(chain.client, of, block, WAIT_MS);
}

async function safeBlock(): Promise<number> {
  const { rows } = await pool.query<{ block: string }>(
    `select substr(safe_checkpoint, 27, 16) as block from "${schema}"._ponder_checkpoint`,
  );
  return Number(rows[0]?.block);
}

/**
 * A killed indexer's schema stays locked for 25 seconds. This skips that wait, once the statements
 * that it had sent are done.
 */
async function unlock(): Promise<void> {
  const others = async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return rows.length;
  };
  await expect.poll(others, { timeout: WAIT_MS }).toBe(0);
  await pool.query(
    `update "${schema}"._ponder_meta set value = jsonb_set(value, '{heartbeat_at}', '0')`,
  );
}

const lines = (indexer: RunningIndexer): { msg?: string; block_range?: string }[] =>
  indexer
    .output()
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as { msg?: string; block_range?: string }];
      } catch {
        return [];
      }
    });

/** Lets one indexer live for a while. Operations go on all the time. */
async function liveFor(ms: number, operations: ReturnType<typeof mixedOperations>): Promise<Start> {
  const safe = await safeBlock();
  const askedBefore = node.calls.length;
  await unlock();
  const begun = performance.now();
  const indexer = await spawnIndexer(place());
  let readyMs: number | null = null;
  let isOver = false;
  const ready = indexer.ready().then(
    () => {
      readyMs = performance.now() - begun;
    },
    () => {},
  );
  const working = (async () => {
    while (!isOver) {
      await operations.run(1);
      await delay(OPERATION_MS);
    }
  })();
  await delay(ms);
  await indexer.kill();
  isOver = true;
  await Promise.all([working, ready]);
  return {
    safeBlock: safe,
    readyMs,
    resumed: indexer.output().includes("Detected crash recovery"),
    indexedFrom: lines(indexer).flatMap(({ msg, block_range }) =>
      msg === "Indexed block range" && block_range ? [JSON.parse(block_range)[0] as number] : [],
    ),
    askedFrom: node.calls.slice(askedBefore).flatMap(({ method, params }) => {
      const [filter] = (params ?? []) as { readonly fromBlock?: string }[];
      return method === "eth_getLogs" && filter?.fromBlock ? [Number(filter.fromBlock)] : [];
    }),
  };
}

describe(`an indexer that is killed ${KILLS} times`, () => {
  it(
    "resumes each time, and has the rows of a fresh index",
    async () => {
      const operations = mixedOperations(chain, SEED);
      const random = randomNumbers(SEED + 1);
      await operations.run(OPERATIONS_BEFORE);
      const begun = performance.now();
      const first = await startIndexer(place());
      const startMs = performance.now() - begun;
      await caughtUp(pool);
      await first.kill();

      const starts: Start[] = [];
      for (let kill = 1; kill <= KILLS; kill += 1) {
        starts.push(await liveFor(random() * LONGEST_LIFE_MS, operations));
      }
      await unlock();
      const last = await startIndexer(place());
      await caughtUp(pool);

      const fresh = await createDatabase();
      const freshPool = new pg.Pool({ connectionString: fresh.url });
      const freshBegun = performance.now();
      const second = await startIndexer({ ...place(), databaseUrl: fresh.url });
      const freshMs = performance.now() - freshBegun;
      try {
        await caughtUp(freshPool);
        await caughtUp(pool);
        const [survived, rebuilt] = [await tableHashes(pool), await tableHashes(freshPool)];
        expect(survived).toEqual(rebuilt);
        expect(Object.keys(survived)).toEqual(Object.keys(TABLES));
        if (process.env.SOAK) report(starts, survived, { startMs, freshMs });
      } finally {
        await second.kill();
        await last.kill();
        await freshPool.end();
        await fresh.drop();
      }

      // One schema in all, and nothing final was read or indexed twice.
      const { rows } = await pool.query<{ name: string }>(
        "select nspname as name from pg_namespace where nspname like 'indexer\\_%'",
      );
      expect(rows).toEqual([{ name: schema }]);
      expect(
        starts.filter(({ indexedFrom, resumed }) => indexedFrom.length > 0 && !resumed),
      ).toEqual([]);
      for (const { safeBlock, indexedFrom, askedFrom } of starts) {
        expect(indexedFrom.filter((block) => block < safeBlock)).toEqual([]);
        expect(askedFrom.filter((block) => block < safeBlock)).toEqual([]);
      }
    },
    PATIENCE_MS,
  );
});

function report(
  starts: readonly Start[],
  tables: Readonly<Record<string, { rows: number; hash: string }>>,
  times: { readonly startMs: number; readonly freshMs: number },
): void {
  const ready = starts.flatMap(({ readyMs }) => (readyMs === null ? [] : [readyMs]));
  const sorted = ready.toSorted((one, other) => one - other);
  const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1_000).toFixed(1)} s`;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(
    [
      `kills ${starts.length}: ${starts.filter(({ resumed }) => !resumed).length} before the schema was opened, ${starts.filter(({ resumed, readyMs }) => resumed && readyMs === null).length} while it caught up, ${ready.length} after it was ready`,
      `first start ${seconds(times.startMs)}, later ones ${seconds(sorted[Math.floor(sorted.length / 2)])} (median), at most ${seconds(sorted.at(-1))}, fresh index ${seconds(times.freshMs)}`,
      `safe blocks grew from ${starts[0]?.safeBlock} to ${starts.at(-1)?.safeBlock}`,
      `${rows} rows in ${Object.keys(tables).length} tables equal by hash`,
    ].join("\n"),
  );
}
