import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { migrate } from "../../../../api/platform/database/migrate.ts";
import { createKeptTables, entryOf, queueEntry } from "../../../fixtures/chronicles.ts";
import { asAdmin, createEmptyDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog } from "../../helpers.ts";

// Migrations run as the role that owns the tables, the API as its own role.

const role = `api_${randomBytes(6).toString("hex")}`;
let database: TestDatabase;
let api: DatabaseConnection;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await asAdmin(`create role ${role} login password 'api'`);
  const url = new URL(database.url);
  url.username = role;
  url.password = "api";
  await migrate(url.href, database.url);
  // A second start changes nothing.
  await migrate(url.href, database.url);
  api = connectDatabase(url.href, capturedLog("silent").log);
  const owner = connectDatabase(database.url, capturedLog("silent").log);
  await createKeptTables(owner);
  await owner.pool.query(`grant all on test_job, test_event to ${role}`);
  await owner.close();
});
afterAll(async () => {
  await api.close();
  await database.drop();
  await asAdmin(`drop role ${role}`);
});

const attempt = (statement: string) => api.pool.query(statement);

describe("the API's own role", () => {
  it("adds chronicles, and can neither change nor remove their content", async () => {
    const chronicle = await queueEntry(api, entryOf(1n));
    for (const statement of [
      "update app.chronicle set category = 'other'",
      "delete from app.chronicle",
      "truncate app.chronicle",
      "insert into app.chronicle select * from app.chronicle on conflict (token_id, chronicle_id) do update set category = 'other'",
    ]) {
      await expect(attempt(statement)).rejects.toMatchObject({
        code: "42501",
        message: "permission denied for table chronicle",
      });
    }
    const { rows } = await attempt("select category from app.chronicle");
    expect(rows).toEqual([{ category: chronicle.category }]);
  });

  it("cannot remove the guard", async () => {
    for (const statement of [
      "alter table app.chronicle disable trigger chronicle_append_only",
      "drop table app.chronicle",
      "create or replace function app.refuse_chronicle_change() returns trigger language plpgsql as 'begin return null; end'",
    ]) {
      await expect(attempt(statement)).rejects.toMatchObject({ code: "42501" });
    }
  });

  it("counts changes of public answers, and reads their number", async () => {
    const count = async () =>
      (await attempt("select last_value from app.public_change")).rows[0].last_value;
    const before = await count();
    await queueEntry(api, entryOf(2n));
    expect(await count()).not.toBe(before);
  });

  it("does everything else that the API does", async () => {
    const { rows } = await attempt(
      `select table_name, has_table_privilege(format('app.%I', table_name), 'select, insert') as reads,
         has_table_privilege(format('app.%I', table_name), 'update, delete') as writes
       from information_schema.tables where table_schema = 'app' order by table_name`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { table_name, writes } of rows)
      expect([table_name, writes]).toEqual([table_name, table_name !== "chronicle"]);
    expect((await attempt("select count(*) from app_migrations.migration")).rows).toHaveLength(1);
  });
});

describe("the guard itself", () => {
  it("also stops the owner of the tables", async () => {
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    try {
      await expect(owner.query("delete from app.chronicle")).rejects.toMatchObject({
        code: "42501",
        message: "Chronicles are append-only: DELETE on app.chronicle is refused.",
      });
    } finally {
      await owner.end();
    }
  });
});
