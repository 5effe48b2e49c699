import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLES } from "../../../../api/features.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { forgetRows } from "../../../../api/platform/database/retention.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog } from "../../helpers.ts";

const NOW = new Date("2027-06-15T12:00:00Z");

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});

const forget = (signal = new AbortController().signal) =>
  forgetRows(connection.db, TABLES, NOW, signal);
const execute = (statement: string) => connection.db.execute(sql.raw(statement));

async function daysOfShares(): Promise<string[]> {
  const { rows } = await execute("select distinct day from app.gas_share order by day");
  return rows.map(({ day }) => String(day));
}

describe("rows at the end of their retention", () => {
  it("do not exist in an empty database, where every condition is valid SQL", async () => {
    expect(await forget()).toEqual({});
  });

  it("are deleted to the day", async () => {
    await execute(`insert into app.gas_share (network, day, standing, gas) values
      ('a', '2027-05-06', 'known', 1), ('a', '2027-05-07', 'known', 1), ('a', '2027-06-15', 'known', 1)`);
    await execute(`insert into app.wallet_quota (wallet, month, registrations) values
      ('a', '2027-03', 1), ('a', '2027-05', 1), ('a', '2027-06', 1)`);
    expect(await forget()).toEqual({ gas_share: 1, wallet_quota: 1 });
    expect(await daysOfShares()).toEqual(["2027-05-07", "2027-06-15"]);
    expect(await forget()).toEqual({});
  });

  it("are deleted in several batches", async () => {
    await execute(`insert into app.gas_share (network, day, standing, gas)
      select 'n' || i, '2026-01-01', 'known', 1 from generate_series(1, 2001) i`);
    expect(await forget()).toEqual({ gas_share: 2001 });
  });

  it("stay for the next run when another transaction uses them, or the job is ended", async () => {
    await execute(`insert into app.gas_share (network, day, standing, gas) values
      ('used', '2026-01-01', 'known', 1), ('free', '2026-01-01', 'known', 1)`);
    await connection.db.transaction(async (tx) => {
      await tx.execute(sql`update app.gas_share set gas = 2 where network = 'used'`);
      expect(await forget(AbortSignal.abort())).toEqual({});
      expect(await forget()).toEqual({ gas_share: 1 });
    });
    expect(await forget()).toEqual({ gas_share: 1 });
  });

  it("are only those that meet the table's condition", async () => {
    const snapshot = (id: string, state: string, createdAt: string) =>
      execute(`insert into app.alignment_snapshot (id, token_id, agent_name, epoch, trigger, state, created_at)
        values ('${id}', ${id.length}, 'a', 1, 'scheduled', '${state}', '${createdAt}')`);
    await snapshot("a", "dropped", "2027-01-01");
    await snapshot("bb", "recorded", "2027-01-01");
    await snapshot("ccc", "dropped", "2027-06-01");
    expect(await forget()).toEqual({ alignment_snapshot: 1 });
    const { rows } = await execute("select id from app.alignment_snapshot order by id");
    expect(rows).toEqual([{ id: "bb" }, { id: "ccc" }]);
  });
});
