import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quietly } from "../../indexer/taken-back.ts";
import { createIndexTables, reachBlock } from "../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

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
    `select substr(latest_checkpoint, 38, 5) as latest, substr(safe_checkpoint, 38, 5) as safe,
      right(value #>> '{taken_back,from}', 5) as from
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

describe("the latest checkpoint", () => {
  it("is the safe one after blocks were taken back, and the highest one is noted", async () => {
    const takeBack = () => pool.query(dropped("_ponder_checkpoint"));
    await reachBlock(pool, 50_009, 1_700_000_018);
    await takeBack();
    expect(await checkpoint()).toEqual({ latest: "50000", safe: "50000", from: "50009" });
    // Blocks in the place of others may be of a later time.
    await reachBlock(pool, 50_003, 1_700_000_036);
    await takeBack();
    expect(await checkpoint()).toEqual({ latest: "50000", safe: "50000", from: "50009" });
    await pool.query(
      "update chain._ponder_meta set value = jsonb_set(value, '{taken_back,until}', '0')",
    );
    await reachBlock(pool, 50_004, 1_700_000_008);
    await takeBack();
    expect(await checkpoint()).toEqual({ latest: "50000", safe: "50000", from: "50004" });
  });
});
