import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type IndexStore, openIndexStore } from "../../scripts/processes/indexer/index-store.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

const CHAIN = 31_337;
const BASE = "indexer_0123456789ab";
const EVENT = "0xaa";

let database: TestDatabase;
let pool: pg.Pool;
let store: IndexStore;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  store = openIndexStore(database.url, CHAIN, BASE);
  // What Ponder has of it, as far as it is used here.
  await pool.query(`create schema ponder_sync;
    create table ponder_sync.intervals (fragment_id text primary key, chain_id bigint, blocks nummultirange);
    create table ponder_sync.blocks (chain_id bigint, number bigint)`);
  for (const table of [
    "logs",
    "transactions",
    "transaction_receipts",
    "traces",
    "rpc_request_results",
  ]) {
    await pool.query(`create table ponder_sync.${table} (chain_id bigint, block_number bigint)`);
  }
});
afterEach(() =>
  pool.query(
    "truncate ponder_sync.intervals, ponder_sync.blocks, app.index_fault, app.index_reread",
  ),
);
afterAll(async () => {
  await store?.close();
  await pool?.end();
  await database?.drop();
});

/** Stores blocks as Ponder does: an interval ends one above its last block. */
async function stored(...ranges: readonly (readonly [first: number, last: number])[]) {
  const parts = ranges.map(([first, last]) => `[${first},${last + 1}]`).join();
  await pool.query("insert into ponder_sync.intervals values ($1, $2, $3)", [
    `log_${CHAIN}_0x01_${EVENT}_null_null_null_0`,
    CHAIN,
    `{${parts}}`,
  ]);
}

const range = ([first, last]: readonly [number, number]) => ({
  first: BigInt(first),
  last: BigInt(last),
});

describe("a fault", () => {
  it.each([
    {
      what: "in the middle",
      fault: [40, 50],
      left: [
        [1, 39],
        [51, 100],
      ],
    },
    {
      what: "of one block",
      fault: [40, 40],
      left: [
        [1, 39],
        [41, 100],
      ],
    },
    { what: "at the start", fault: [1, 10], left: [[11, 100]] },
    { what: "at the end", fault: [90, 100], left: [[1, 89]] },
    { what: "of all blocks", fault: [0, 200], left: [] },
    { what: "beside what is stored", fault: [101, 120], left: [[1, 100]] },
  ] as const)("$what leaves the stored blocks around it", async ({ fault, left }) => {
    await stored([1, 100]);
    await store.recordFault(range(fault), "detail");
    expect(await store.storedEvents()).toEqual([
      { address: "0x01", topic: EVENT, ranges: left.map(range) },
    ]);
    // As Ponder reads it.
    const { rows } = await pool.query<{ blocks: string }>(
      "select blocks from ponder_sync.intervals",
    );
    const parts = left.map(([first, last]) => `[${first},${last + 1}]`);
    expect(rows).toEqual([{ blocks: `{${parts.join()}}` }]);
  });

  it("takes the second reading back to it, and never forward", async () => {
    await store.rereadTo(100n);
    await store.recordFault({ first: 40n, last: 50n }, "detail");
    expect(await store.rereadUpTo()).toBe(39n);
    await store.recordFault({ first: 60n, last: 70n }, "detail");
    expect(await store.rereadUpTo()).toBe(39n);
  });

  it("is prepared once, and mended by an index that was built after it", async () => {
    await pool.query(`insert into app.index_fault (id, found_at, found_by, from_block, to_block) values
      (7, now(), 'compared', 40, 50), (8, now(), 'reread', 60, 70)`);
    expect(await store.look()).toEqual({ served: null, wanted: `${BASE}_8` });
    await stored([1, 100]);
    await store.prepare(`${BASE}_7`);
    await store.prepare(`${BASE}_7`);
    const [event] = await store.storedEvents();
    expect(event?.ranges).toEqual([range([1, 39]), range([51, 100])]);
    await store.finish(`${BASE}_7`);
    const { rows } = await pool.query(
      "select id, rebuilt_as, mended_at is not null as mended from app.index_fault order by id",
    );
    expect(rows).toEqual([
      { id: "7", rebuilt_as: `${BASE}_7`, mended: true },
      { id: "8", rebuilt_as: null, mended: false },
    ]);
  });
});

it("the schemas of earlier indexes of the release are dropped, and no others", async () => {
  const names = [BASE, `${BASE}_3`, `${BASE}_5`, `${BASE}_9`, `${BASE}_x`, "indexer_other"];
  for (const name of names) await pool.query(`create schema ${name}`);
  // The views may show another index again.
  await pool.query(`create schema ${BASE}_4; create table ${BASE}_4.soul (); create schema if not exists chain;
    create view chain.soul as select from ${BASE}_4.soul`);
  await store.finish(`${BASE}_5`);
  const { rows } = await pool.query(
    "select nspname as name from pg_namespace where nspname like 'indexer%' order by 1",
  );
  expect(rows.map(({ name }) => name)).toEqual([
    `${BASE}_4`,
    `${BASE}_5`,
    `${BASE}_9`,
    `${BASE}_x`,
    "indexer_other",
  ]);
});

it("blocks are due for the second reading some time after they were stored", async () => {
  expect(await store.storedBefore(10n, 60_000)).toBeNull();
  expect(await store.storedBefore(20n, 60_000)).toBeNull();
  await pool.query("update app.index_reread set seen_at = now() - interval '61 seconds'");
  expect(await store.storedBefore(30n, 60_000)).toBe(10n);
  await store.rereadTo(10n);
  expect(await store.rereadUpTo()).toBe(10n);
  await pool.query("update app.index_reread set seen_at = now() - interval '61 seconds'");
  expect(await store.storedBefore(40n, 60_000)).toBe(30n);
});
