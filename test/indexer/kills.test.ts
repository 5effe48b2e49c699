import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexerSchemaName } from "../../scripts/lib/indexer-command.ts";
import { type FaultyNode, startFaultyNode } from "../fixtures/faulty-node.ts";
import { type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, spawnIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { indexedUpTo } from "./indexed-up-to.ts";
import { mixedOperations } from "./mixed-operations.ts";
import { TABLES, tableHashes } from "./rows.ts";
import { unlock } from "./unlock.ts";

// The indexer is killed while operations go on. `npm run test:faults` kills it many times, together
// with the rest of the service; here it is seen what it reads again.

const SEED = 20_261_123;
/** So that most of the chain is final, and a restart would show if it read that again. */
const OPERATIONS_BEFORE = 40;
/** The life of the killed indexer, which begins when it has opened its schema. */
const LIFE_MS = 3_000;
/** Pause between operations: an indexer that lives for seconds must be able to catch up. */
const OPERATION_MS = 700;
const PATIENCE_MS = 300_000;
const WAIT_MS = 120_000;

/** What one start of the indexer did until it was killed. */
interface Start {
  /** The last block that was safe from being read again, before it started. */
  readonly safeBlock: number;
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
  // One connection: see `unlock`.
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
  await unlock(pool, schema);
  const indexer = await spawnIndexer(place());
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      await operations.run(1);
      await delay(OPERATION_MS);
    }
  })();
  await expect
    .poll(() => indexer.output().includes("Detected crash recovery"), { timeout: WAIT_MS })
    .toBe(true);
  await delay(ms);
  await indexer.kill();
  isOver = true;
  await working;
  return {
    safeBlock: safe,
    indexedFrom: lines(indexer).flatMap(({ msg, block_range }) =>
      msg === "Indexed block range" && block_range ? [JSON.parse(block_range)[0] as number] : [],
    ),
    askedFrom: node.calls.slice(askedBefore).flatMap(({ method, params }) => {
      const [filter] = (params ?? []) as { readonly fromBlock?: string }[];
      return method === "eth_getLogs" && filter?.fromBlock ? [Number(filter.fromBlock)] : [];
    }),
  };
}

describe("an indexer that is killed while operations go on", () => {
  it(
    "resumes, and has the rows of a fresh index",
    async () => {
      const operations = mixedOperations(chain, SEED);
      await operations.run(OPERATIONS_BEFORE);
      const first = await startIndexer(place());
      await caughtUp(pool);
      await first.kill();

      const start = await liveFor(LIFE_MS, operations);
      await unlock(pool, schema);
      const last = await startIndexer(place());
      await caughtUp(pool);

      const fresh = await createDatabase();
      const freshPool = new pg.Pool({ connectionString: fresh.url });
      const second = await startIndexer({ ...place(), databaseUrl: fresh.url });
      try {
        await caughtUp(freshPool);
        await caughtUp(pool);
        const [survived, rebuilt] = [await tableHashes(pool), await tableHashes(freshPool)];
        expect(survived).toEqual(rebuilt);
        expect(Object.keys(survived)).toEqual(Object.keys(TABLES));
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
      const { safeBlock, indexedFrom, askedFrom } = start;
      expect(indexedFrom.filter((block) => block < safeBlock)).toEqual([]);
      expect(askedFrom.filter((block) => block < safeBlock)).toEqual([]);
    },
    PATIENCE_MS,
  );
});
