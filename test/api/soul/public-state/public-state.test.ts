import { once } from "node:events";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publicStateReader } from "../../../../api/soul/public-state/public-state.store.ts";
import { createIndexTables, reachBlock } from "../../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 5 });
  // The database may be dropped before the last connection has closed.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  await createIndexTables(pool, []);
  await pool.query("create table word (id int primary key, said text not null)");
  await pool.query("insert into word values (1, 'first')");
  await pool.query("create table note (id int)");
  await pool.query(`create trigger public_change after update on word
    for each statement execute function app.count_public_change()`);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(() => reachBlock(pool, 50_000, 1_700_000_000));

const reader = () => publicStateReader({ pool, countsViews: () => true });
const say = (said: string) => pool.query("update word set said = $1 where id = 1", [said]);

describe("a state of what public answers are made from", () => {
  it("is the same until such a row changes, and after reads", async () => {
    const present = reader();
    const first = await present();
    expect(first).not.toBeNull();
    await pool.query("select * from word");
    expect(await present()).toEqual(first);
    await say("new");
    expect((await present())?.name).not.toBe(first?.name);
  });

  it("is settled unless a transaction is open that changed such a row", async () => {
    const present = reader();
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("insert into note values (1)");
      expect((await present())?.isSettled).toBe(true);
      await client.query("update word set said = 'open' where id = 1");
      expect((await present())?.isSettled).toBe(false);
      await client.query("rollback");
      expect((await present())?.isSettled).toBe(true);
    } finally {
      client.release();
    }
  });

  it("names the block that the index has reached, which is no part of its name", async () => {
    const present = reader();
    const first = await present();
    expect(first?.at).toEqual({ block: 50_000n, timestamp: 1_700_000_000n });
    await reachBlock(pool, 50_001, 1_700_000_002);
    expect(await present()).toEqual({
      name: first?.name,
      isSettled: true,
      at: { block: 50_001n, timestamp: 1_700_000_002n },
    });
    await pool.query("update chain._ponder_meta set value = '{\"is_ready\": 0}'");
    expect((await present())?.at.block).toBe(50_000n);
    await pool.query("update chain._ponder_meta set value = '{\"is_ready\": 1}'");
    expect((await present())?.at.block).toBe(50_001n);
  });

  it("is not known without views whose changes are counted, or without a block", async () => {
    const asked: number[] = [];
    const uncounted = publicStateReader({
      pool,
      countsViews: (views) => asked.push(views) === 0,
    });
    expect(await uncounted()).toBeNull();
    expect(asked.map((views) => views > 0)).toEqual([true]);
    const present = reader();
    await pool.query("create table saved as select * from chain._ponder_checkpoint");
    await pool.query("delete from chain._ponder_checkpoint");
    expect(await present()).toBeNull();
    await pool.query("insert into chain._ponder_checkpoint select * from saved");
    await pool.query("alter schema chain rename to hidden");
    expect(await present()).toBeNull();
    await pool.query("alter schema hidden rename to chain");
    expect(await present()).not.toBeNull();
  });

  describe("on connections of its own", () => {
    let own: pg.Pool;
    beforeEach(() => {
      own = new pg.Pool({ connectionString: database.url, max: 2, application_name: "own" });
      own.on("connect", (client) => client.on("error", () => {}));
      own.on("error", () => {});
    });
    afterEach(() => own.end());

    it("names the start of the server", async () => {
      const { rows } = await pool.query(
        "select extract(epoch from pg_postmaster_start_time())::text as since",
      );
      const present = publicStateReader({ pool: own, countsViews: () => true });
      expect((await present())?.name.split(" ").slice(2)).toEqual([rows[0]?.since, "1"]);
    });

    it("is the same while one of them stays open", async () => {
      const present = publicStateReader({ pool: own, countsViews: () => true });
      const first = await present();
      const [idle, failed] = [await own.connect(), await own.connect()];
      const ended = once(own, "remove");
      failed.release(true);
      await ended;
      idle.release();
      expect((await present())?.name).toBe(first?.name);
    });

    it("is another one after all of them ended", async () => {
      const present = publicStateReader({ pool: own, countsViews: () => true });
      const first = await present();
      const [one, other] = [await own.connect(), await own.connect()];
      const ended = [one, other].map((client) => new Promise((end) => client.once("end", end)));
      one.release();
      await pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'own'",
      );
      await Promise.all(ended);
      // A connection that is in use is not given back when it ends.
      other.release();
      expect([first, await present()].map((state) => state?.name.split(" ").at(-1))).toEqual([
        "1",
        "2",
      ]);
    });
  });

  it("is read once for callers that wait together, after they came", async () => {
    let statements = 0;
    const query = (async (statement: pg.QueryConfig) => {
      statements += 1;
      return pool.query(statement);
    }) as pg.Pool["query"];
    const present = publicStateReader({
      pool: Object.assign(Object.create(pool), { query }) as pg.Pool,
      countsViews: () => true,
    });
    const all = await Promise.all([present(), present(), present()]);
    expect([new Set(all).size, statements]).toEqual([1, 1]);
  });
});
