import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../../../api/platform/log/log.ts";
import { countedViews } from "../../../../api/soul/public-state/counted-views.store.ts";
import { asAdmin, createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 3 });
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  await addBuild("indexer_one");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** The tables of a build of the indexer, and views of them that replace those of another. */
async function addBuild(schema: string): Promise<void> {
  await pool.query(`
    create schema ${schema};
    create table ${schema}."Odd ""name" (id int);
    create table ${schema}._reorg__odd (id int);
    create table ${schema}._ponder_checkpoint (latest_checkpoint text);
    create table ${schema}._ponder_meta (key text, value jsonb);
    insert into ${schema}._ponder_meta values ('app', '{"is_ready": 1, "heartbeat_at": 1}');
    create schema if not exists chain;
    drop view if exists chain.odd, chain._ponder_checkpoint, chain._ponder_meta;
    create view chain.odd as select * from ${schema}."Odd ""name";
    create view chain._ponder_checkpoint as select * from ${schema}._ponder_checkpoint;
    create view chain._ponder_meta as select * from ${schema}._ponder_meta;`);
}

const views = async (): Promise<number> =>
  (await pool.query("select to_regclass('chain._ponder_checkpoint')::oid as views")).rows[0].views;

/** Counted changes that `statement` makes. */
async function countOf(statement: string): Promise<number> {
  const count = async () =>
    Number((await pool.query("select last_value as n from app.public_change")).rows[0].n);
  const before = await count();
  await pool.query(statement);
  return (await count()) - before;
}

/** Until triggers were added. */
async function untilCounted(of: (views: number) => boolean): Promise<void> {
  const now = await views();
  while (!of(now)) await delay(5);
}

describe("changes of the index", () => {
  it("are counted after the first question, each statement once", async () => {
    const counts = countedViews(pool, createLog("silent"));
    expect(counts(await views())).toBe(false);
    await untilCounted(counts);
    const table = `indexer_one."Odd ""name"`;
    expect([
      await countOf(`insert into ${table} values (1), (2)`),
      await countOf(`update ${table} set id = 3`),
      await countOf(`delete from ${table}`),
      await countOf(`truncate ${table}`),
      await countOf("insert into indexer_one._ponder_checkpoint values ('1')"),
      await countOf("update indexer_one._ponder_meta set value = '{}'"),
      await countOf("insert into indexer_one._reorg__odd values (1)"),
    ]).toEqual([1, 1, 1, 1, 0, 0, 0]);
  });

  it("are not those of views that replaced others, until these are counted too", async () => {
    const counts = countedViews(pool, createLog("silent"));
    await untilCounted(counts);
    const before = await views();
    await addBuild("indexer_two");
    expect([counts(before), counts(await views()), await views()]).not.toContain(before);
    const later = countedViews(pool, createLog("silent"));
    await untilCounted(later);
    expect(await countOf(`insert into indexer_two."Odd ""name" values (1)`)).toBe(1);
  });

  it("are added by several processes at once", async () => {
    const all = Array.from({ length: 3 }, () => countedViews(pool, createLog("silent")));
    const now = await views();
    for (const counts of all) counts(now);
    const last = countedViews(pool, createLog("silent"));
    await untilCounted(last);
    expect(await countOf(`insert into indexer_one."Odd ""name" values (1)`)).toBe(1);
  });

  it("are not counted by a role that may not add triggers", async () => {
    const role = `reader_${database.url.split("_").at(-1)}`;
    await asAdmin(`create role ${role} login password 'reader'`);
    const url = new URL(database.url);
    url.username = role;
    url.password = "reader";
    await pool.query(`grant usage on schema chain, indexer_one to ${role};
      grant select on all tables in schema chain, indexer_one to ${role}`);
    const own = new pg.Pool({ connectionString: url.href, max: 1 });
    const warnings: unknown[] = [];
    const log = Object.assign(createLog("silent"), {
      warn: (what: { err: Error }) => warnings.push(what.err.message),
    });
    const counts = countedViews(own, log);
    const now = await views();
    expect(counts(now)).toBe(false);
    while (warnings.length === 0) await delay(5);
    expect([counts(now), warnings.length]).toEqual([false, 1]);
    expect(String(warnings[0])).toMatch(/^(permission denied|must be owner)/);
    await own.end();
    await pool.query(`drop owned by ${role}`);
    await asAdmin(`drop role ${role}`);
  });
});
