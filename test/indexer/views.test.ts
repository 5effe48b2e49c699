import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pointViews } from "../../scripts/processes/indexer/views.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

// The views that the API reads, over tables as Ponder has them: two of the index, two of its own, and one for each table that
// keeps what a reorganization reverts.

const WAIT = { timeout: 60_000, interval: 10 };
const READERS = 4;
const SWAPS = 20;

let database: TestDatabase;
let pool: pg.Pool;
const open: pg.Client[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
beforeEach(async () => {
  for (const schema of ["one", "two"]) {
    await pool.query(`create schema ${schema};
      create table ${schema}.soul as select '${schema}' as shown;
      create table ${schema}.passport as select '${schema}' as shown;
      create table ${schema}._reorg__soul as select '${schema}' as shown;
      create table ${schema}._ponder_meta as select '${schema}' as shown;
      create table ${schema}._ponder_checkpoint as select '${schema}' as shown`);
  }
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end()));
  await pool.query("drop schema if exists chain, one, two cascade");
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  open.push(client);
  await client.connect();
  return client;
}

/** A transaction that has read one of the views, and so holds it. */
async function holding(view: string): Promise<pg.Client> {
  const reader = await connected();
  await reader.query(`begin; select from chain.${view}`);
  return reader;
}

interface View {
  readonly oid: number;
  readonly name: string;
}

async function views(): Promise<readonly View[]> {
  const { rows } = await pool.query<View>(
    "select oid, relname as name from pg_class where relnamespace = 'chain'::regnamespace order by name",
  );
  return rows;
}

const READ = "select s.shown || ' ' || p.shown as shown from chain.soul s, chain.passport p";

/** What the two views show, each. */
const shown = async () => (await pool.query<{ shown: string }>(READ)).rows[0]?.shown;

async function deadlocks(): Promise<number> {
  const { rows } = await pool.query<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]?.deadlocks);
}

describe("the views", () => {
  it("show every table of the index that they are pointed at, and none of what would be reverted", async () => {
    expect(await pointViews(pool, "one")).toBe(true);
    const names = (await views()).map(({ name }) => name);
    expect(names).toEqual(["_ponder_checkpoint", "_ponder_meta", "passport", "soul"]);
    expect(await shown()).toBe("one one");
    expect(await pointViews(pool, "two")).toBe(true);
    expect(await shown()).toBe("two two");
  });

  it("keep one that the index does not have, for the release that reads it", async () => {
    await pool.query("create table one.batch as select 'one' as shown");
    await pointViews(pool, "one");
    await pointViews(pool, "two");
    expect((await pool.query("select shown from chain.batch")).rows).toEqual([{ shown: "one" }]);
  });

  it("are not touched when they show the index already", async () => {
    await pointViews(pool, "one");
    const before = await views();
    await holding("soul");
    expect(await pointViews(pool, "one")).toBe(true);
    expect(await views()).toEqual(before);
  });

  it("are made again when a table has other columns, or when one is missing", async () => {
    await pointViews(pool, "one");
    await pool.query("alter table one.soul add column name text");
    expect(await pointViews(pool, "one")).toBe(true);
    const { rows } = await pool.query("select * from chain.soul");
    expect(rows).toEqual([{ shown: "one", name: null }]);
    await pool.query("drop view chain.passport");
    expect(await pointViews(pool, "one")).toBe(true);
    expect(await shown()).toBe("one one");
  });

  it("stay as they are while a read holds one, and are changed after it", async () => {
    await pointViews(pool, "one");
    const before = await views();
    const reader = await holding("soul");
    expect(await pointViews(pool, "two")).toBe(false);
    expect(await views()).toEqual(before);
    await reader.query("commit");
    expect(await pointViews(pool, "two")).toBe(true);
    expect(await shown()).toBe("two two");
  });

  it("are let go when a read that holds one waits for another", async () => {
    await pointViews(pool, "one");
    const reader = await holding("soul");
    const pointed = pointViews(pool, "two");
    await expect
      .poll(async () => (await pool.query("select from pg_locks where not granted")).rowCount, WAIT)
      .toBe(1);
    expect((await reader.query("select shown from chain.passport")).rows).toEqual([
      { shown: "one" },
    ]);
    expect([await pointed, await deadlocks()]).toEqual([false, 0]);
  });

  it("are all changed at once for reads that go on", async () => {
    await pointViews(pool, "one");
    let isOver = false;
    let reads = 0;
    const read = async () => {
      const reader = await connected();
      const seen = new Set<string | undefined>();
      while (!isOver) {
        for (const text of [
          READ,
          READ.replace("chain.soul s, chain.passport p", "chain.passport p, chain.soul s"),
        ]) {
          seen.add((await reader.query<{ shown: string }>(text)).rows[0]?.shown);
          reads += 1;
        }
      }
      return seen;
    };
    const readers = Array.from({ length: READERS }, read);
    for (let swap = 0; swap < SWAPS; swap += 1) {
      const before = reads;
      while (!(await pointViews(pool, swap % 2 === 0 ? "two" : "one")));
      await expect.poll(() => reads, WAIT).toBeGreaterThan(before);
    }
    isOver = true;
    for (const seen of await Promise.all(readers)) {
      expect([...seen].toSorted()).toEqual(["one one", "two two"]);
    }
    expect(await deadlocks()).toBe(0);
  });
});
