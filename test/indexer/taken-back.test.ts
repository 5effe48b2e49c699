import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quietly } from "../../indexer/taken-back.ts";
import { checkpointOf, createIndexTables, reachBlock } from "../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { TABLES } from "./rows.ts";

// What an indexer sends to PostgreSQL while it takes blocks back.

const TRIGGER = `create or replace trigger "reorg" after insert on chain.passport
  for each row execute function noted()`;
const dropped = (table: string) => quietly(`DROP TRIGGER IF EXISTS "reorg" ON "chain"."${table}";`);

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await createIndexTables(pool, []);
  await pool.query(`create table note ();
    create table chain.passport ();
    create function noted() returns trigger language plpgsql as $$ begin insert into note default values; return null; end $$;
    ${TRIGGER}`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function checkpoint() {
  const { rows } = await pool.query(
    `select substr(latest_checkpoint, 38, 5) as latest, right(value #>> '{taken_back,from}', 5) as from
    from chain._ponder_checkpoint, chain._ponder_meta`,
  );
  return rows[0];
}

describe("a trigger that Ponder drops", () => {
  it("does not fire until it is made again, and no read waits", async () => {
    const reader = await pool.connect();
    const insert = async () => {
      await pool.query("insert into chain.passport default values");
      return (await pool.query("select from note")).rowCount;
    };
    expect(await insert()).toBe(1);
    try {
      await reader.query("begin; select from chain.passport");
      await pool.query(dropped("passport"));
      expect(await insert()).toBe(1);
      await pool.query(TRIGGER);
      expect(await insert()).toBe(2);
    } finally {
      await reader.query("rollback");
      reader.release();
    }
  });

  it.each(["_ponder_meta", "no_table"])("may be none, as of %s", async (table) => {
    await pool.query(quietly(`DROP TRIGGER IF EXISTS "other" ON "chain"."${table}"`));
  });

  it.each([
    'DROP TRIGGER "reorg" ON "chain"."_ponder_meta"',
    'CREATE OR REPLACE TRIGGER "reorg" AFTER INSERT ON "chain"."_ponder_meta"',
    'select \'DROP TRIGGER IF EXISTS "reorg" ON "chain"."soul"\'',
  ])("is named by no other statement: %s", (statement) => {
    expect(quietly(statement)).toBe(statement);
  });
});

describe("the statement that finds what to take back", () => {
  /** As Ponder writes it, of one table. */
  const takingBack = (block: number) => `
SELECT MIN(operation_id) AS operation_id FROM (

SELECT MIN(operation_id) AS operation_id FROM "chain"."_reorg__passport"
WHERE SUBSTRING(checkpoint, 11, 16)::numeric = 31337
AND checkpoint > '${checkpointOf(block, 1_700_000_000)}') AS all_mins;`;
  const takeBack = async (block: number) =>
    (await pool.query<{ operation_id: string }>(quietly(takingBack(block)))).rows;

  it("answers as before, and moves the latest checkpoint to what stays", async () => {
    await pool.query(`create table chain._reorg__passport (operation_id int, checkpoint text);
      insert into chain._reorg__passport values (7, '${checkpointOf(50_006, 1_700_000_012)}')`);
    await reachBlock(pool, 50_009, 1_700_000_018);
    expect(await takeBack(50_005)).toEqual([{ operation_id: 7 }]);
    expect(await checkpoint()).toEqual({ latest: "50005", from: "50009" });
  });

  it("notes the highest block, until its minute has ended", async () => {
    // Blocks in the place of others may be of a later time.
    await reachBlock(pool, 50_007, 1_700_000_036);
    await takeBack(50_006);
    expect(await checkpoint()).toEqual({ latest: "50006", from: "50009" });
    await reachBlock(pool, 50_006, 1_700_000_100);
    await takeBack(50_004);
    expect(await checkpoint()).toEqual({ latest: "50004", from: "50006" });
  });

  it("is the one that the installed Ponder sends", async () => {
    const sent: string[] = [];
    const wrap = async (_of: unknown, run?: (tx: unknown) => unknown) =>
      (run ?? (_of as (tx: unknown) => unknown))({
        execute: async (text: string) => {
          sent.push(text);
          return { rows: [{ operation_id: null, count: 0 }] };
        },
      });
    const { revertMultichain, dropTriggers } = await import(
      pathToFileURL(resolve("node_modules/ponder/dist/esm/database/actions.js")).href
    );
    const tx = {
      wrap,
      transaction: async (...args: readonly unknown[]) => {
        const run = args.find((one) => typeof one === "function") as (tx: unknown) => unknown;
        return run(tx);
      },
    };
    const tables = [TABLES.soul, TABLES.passport];
    await dropTriggers(tx, { tables });
    await revertMultichain(tx, { checkpoint: checkpointOf(50_005, 1_700_000_000), tables });
    const [soul, passport, taken, ...reverts] = sent.map((text) => quietly(text) !== text);
    expect([soul, passport, taken]).toEqual([true, true, true]);
    expect(reverts).toEqual([false, false]);
  });
});
