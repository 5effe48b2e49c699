import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import * as schema from "../../indexer/ponder.schema.ts";
import { account, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { chainRecord, indexedRecord, keptArchive } from "./chain-record.ts";
import { indexedUpTo } from "./indexed-up-to.ts";
import { type MixedOperations, mixedOperations } from "./mixed-operations.ts";
import { replay } from "./replay.ts";
import { everyRow, rowsOf, TABLES } from "./rows.ts";

// After many operations of every kind, the index equals a plain replay of the chain's logs.

const SEED = 20_260_401;
const OPERATIONS = 200;

/** A test of this file may run for a long time on a slow machine. */
const PATIENCE_MS = 600_000;
const WAIT_MS = 30_000;

let chain: IndexedChain;
let operations: MixedOperations;
let database: TestDatabase;
let pool: pg.Pool;
let indexer: RunningIndexer;

beforeAll(async () => {
  chain = await startIndexedChain();
  operations = mixedOperations(chain, SEED);
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  indexer = await startIndexer({ databaseUrl: database.url, ...chain });
});

afterAll(async () => {
  await indexer?.kill();
  await pool?.end();
  await database?.drop();
  await chain?.stop();
});

/** Waits until the index has the chain's last block. */
async function caughtUp(of: pg.Pool = pool): Promise<void> {
  const block = await chain.client.getBlockNumber({ cacheTime: 0 });
  await indexedUpTo(chain.client, of, block, WAIT_MS);
}

const replayed = () => replay(chain.client, chain.contracts, Object.keys(TABLES));

describe("the index equals a plain replay of the logs", () => {
  it(
    "after a fixed script of mixed operations",
    async () => {
      await operations.run(OPERATIONS);
      await caughtUp();
      const expected = await replayed();
      expect(await everyRow(pool)).toEqual(expected);
      // Only written values were compared.
      expect(Object.entries(expected).filter(([, rows]) => rows.length === 0)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "and each soul's row equals the contracts' answers",
    async () => {
      const { rpcUrl, contracts } = chain;
      // A state that the script may have left again.
      const [owner, buyer] = [account(1), account(2)];
      const waiting = await chain.register(owner, "sold-unsealed", { seal: false });
      await chain.movePassport(waiting.passportId, owner, buyer);
      await chain.suspend(buyer, waiting.tokenId);
      await caughtUp();
      const souls = await rowsOf(pool, schema.soul);
      const owners = new Map(
        (await rowsOf(pool, schema.passport)).map(({ id, owner }) => [id, owner]),
      );
      const holders = new Map(
        (await rowsOf(pool, schema.certificate)).map(({ tokenId, holder }) => [tokenId, holder]),
      );
      expect(souls.length).toBe(Number(await chain.soulCount()));
      for (const soul of souls) {
        const { tokenId, passportId, archiveId } = soul;
        const holder = holders.get(tokenId) ?? null;
        const indexed = indexedRecord(soul, owners.get(passportId) ?? null, holder);
        expect(indexed).toEqual(await chainRecord(rpcUrl, contracts, tokenId));
        expect(archiveId).toBe((await keptArchive(rpcUrl, contracts, tokenId)) ?? archiveId);
      }
      // Every state occurred in the comparison.
      const states = new Set(
        souls.map(({ status, suspendedOwner }) => `${status} ${suspendedOwner !== null}`),
      );
      expect([...states].sort()).toEqual([
        "BURNED false",
        "PROVISIONAL false",
        "PROVISIONAL true",
        "SEALED false",
        "SEALED true",
      ]);
    },
    PATIENCE_MS,
  );

  it(
    "when another indexer reads from the beginning",
    async () => {
      const other = await createDatabase();
      const otherPool = new pg.Pool({ connectionString: other.url });
      const second = await startIndexer({ databaseUrl: other.url, ...chain });
      try {
        await caughtUp(otherPool);
        expect(await everyRow(otherPool)).toEqual(await replayed());
      } finally {
        await second.kill();
        await otherPool.end();
        await other.drop();
      }
    },
    PATIENCE_MS,
  );

  it(
    "when the chain replaces operations by a reorganization",
    async () => {
      const snapshot = await chain.client.snapshot();
      await mixedOperations(chain, SEED + 2).run(15);
      await caughtUp();
      const takenBack = await chain.client.getBlockNumber({ cacheTime: 0 });
      const before = await everyRow(pool);
      expect(before).toEqual(await replayed());

      // A read that goes on, of all tables.
      const reader = await pool.connect();
      onTestFinished(() => reader.release(true));
      await reader.query("begin");
      for (const table of Object.keys(TABLES)) await reader.query(`select from chain.${table}`);
      await chain.client.revert({ id: snapshot });
      await mixedOperations(chain, SEED + 3).run(15);
      // The longer chain is the one to follow.
      const ahead = takenBack - (await chain.client.getBlockNumber({ cacheTime: 0 }));
      await chain.client.mine({ blocks: Math.max(Number(ahead), 0) + 2 });
      const expected = await replayed();
      await vi.waitFor(async () => expect(await everyRow(pool)).toEqual(expected), WAIT_MS);
      expect(expected).not.toEqual(before);
      expect((await fetch(`${indexer.url}/ready`)).status).toBe(200);
    },
    PATIENCE_MS,
  );
});
