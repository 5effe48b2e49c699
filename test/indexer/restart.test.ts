import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prepareRestart } from "../../scripts/processes/indexer/restart.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

// An index as a Ponder leaves it that was ready: its triggers and indexes are on the tables.

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
beforeEach(async () => {
  await pool.query(`create schema one;
    create table one._ponder_meta (key text primary key, value jsonb);
    insert into one._ponder_meta values ('app', '{"is_locked": 0, "heartbeat_at": 0}');
    create table one.soul (id int primary key, name text);
    create table one._reorg__soul (id int, checkpoint text);
    create index on one._reorg__soul (checkpoint);
    create table one.passport (id int primary key, owner text);
    create function one.reorg() returns trigger language plpgsql as 'begin return null; end';`);
  for (const [table, column] of [
    ["soul", "name"],
    ["passport", "owner"],
  ] as const) {
    await pool.query(`create index "${table}_Index" on one.${table} (${column});
      create trigger reorg after insert on one.${table} for each row execute procedure one.reorg();
      create trigger public_change after insert on one.${table}
        for each statement execute function app.count_public_change()`);
  }
});
afterEach(() => pool.query("drop schema one cascade"));
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** The triggers and indexes of the tables. */
async function made(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select c.relname || ' ' || tgname as name from pg_trigger join pg_class c on c.oid = tgrelid
    where c.relnamespace = 'one'::regnamespace and not tgisinternal
    union all select relname from pg_class where relnamespace = 'one'::regnamespace and relkind = 'i'
    order by name`);
  return rows.map(({ name }) => name);
}

/** What is left when all is removed that a Ponder makes again. */
const LEFT = [
  "_ponder_meta_pkey",
  "_reorg__soul_checkpoint_idx",
  "passport public_change",
  "passport_pkey",
  "soul public_change",
  "soul_pkey",
];

async function lockedSince(heartbeat: number): Promise<void> {
  const value = JSON.stringify({ is_locked: 1, heartbeat_at: heartbeat });
  await pool.query("update one._ponder_meta set value = $1", [value]);
}

describe("before an index is started again", () => {
  it("what Ponder makes anew is removed, and nothing else", async () => {
    expect(await prepareRestart(pool, "one")).toBe(true);
    expect(await made()).toEqual(LEFT);
    expect(await prepareRestart(pool, "one")).toBe(true);
  });

  it("nothing is removed while another Ponder may write", async () => {
    const before = await made();
    await lockedSince(Date.now());
    expect(await prepareRestart(pool, "one")).toBe(false);
    expect(await made()).toEqual(before);
    await lockedSince(Date.now() - 25_000);
    expect(await prepareRestart(pool, "one")).toBe(true);
    expect(await made()).toEqual(LEFT);
  });

  it("a table that is read keeps what it has until the read has ended", async () => {
    const reader = await pool.connect();
    await reader.query("begin; select from one.soul");
    const before = await made();
    expect(await prepareRestart(pool, "one")).toBe(false);
    const ofSoul = before.filter((name) => name.startsWith("soul"));
    expect((await made()).filter((name) => name.startsWith("soul"))).toEqual(ofSoul);
    await reader.query("commit");
    reader.release();
    expect(await prepareRestart(pool, "one")).toBe(true);
    expect(await made()).toEqual(LEFT);
  });
});
