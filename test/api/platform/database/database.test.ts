import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeyStore } from "../../../../api/features/keys/api-keys.store.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import {
  databaseStanding,
  migrate,
  OutdatedDatabaseError,
} from "../../../../api/platform/database/migrate.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import { hasPromtool } from "../../../fixtures/alert-rules.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { asAdmin, createDatabase, createEmptyDatabase } from "../../../fixtures/postgres.ts";
import { alertsOf } from "../../../fixtures/watched-process.ts";
import { capturedLog, testApp } from "../../helpers.ts";

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

describe("migrations", () => {
  it("build the schema once, however many processes run them", async () => {
    const empty = await createEmptyDatabase();
    const { db, close } = connectDatabase(empty.url, createLog("silent"));
    expect(await databaseStanding(db)).toBe("behind");
    await Promise.all([migrate(empty.url), migrate(empty.url), migrate(empty.url)]);
    await migrate(empty.url);
    expect(await databaseStanding(db)).toBe("usable");
    const tables = await db.execute(
      sql`select table_name from information_schema.tables where table_schema = 'app' order by 1`,
    );
    expect(tables.rows.map((row) => row.table_name)).toEqual([
      "agent_registration",
      "alignment_batch",
      "alignment_snapshot",
      "api_key",
      "audit",
      "audit_try",
      "auth_code",
      "chronicle",
      "chronicle_batch",
      "chronicle_counter",
      "chronicle_request",
      "chronicle_state",
      "claim_draft",
      "console_cookie",
      "derived_chronicle",
      "disclosure",
      "disclosure_policy",
      "disclosure_request",
      "display_setting",
      "document_upload",
      "document_version",
      "emergency_stop",
      "endpoint_check",
      "endpoint_check_set",
      "endpoint_host",
      "endpoint_watch",
      "event_cursor",
      "gas_budget",
      "gas_share",
      "idempotency",
      "index_fault",
      "index_reread",
      "job_schedule",
      "mail_confirmation",
      "name_challenge",
      "name_lock",
      "operation",
      "operation_party",
      "operation_signature",
      "operation_subject",
      "passport_asked",
      "passport_difference",
      "passport_suspension",
      "passport_watch",
      "public_identity",
      "registration",
      "relayer_transaction",
      "revoked_token",
      "session",
      "sign_in_nonce",
      "soul_secret",
      "sponsored_operation",
      "storage_audit",
      "storage_item",
      "storage_upload",
      "wallet_quota",
      "webhook",
      "webhook_delivery",
      "webhook_event",
      "webhook_try",
    ]);
    await close();
    await empty.drop();
  });

  it("refuse a database of an earlier version, and change nothing in it", async () => {
    const old = await createEmptyDatabase();
    const { db, close } = connectDatabase(old.url, createLog("silent"));
    await db.execute(sql`create schema app_migrations`);
    await db.execute(
      sql`create table app_migrations.migration (id serial primary key, hash text not null, created_at bigint)`,
    );
    await db.execute(
      sql`insert into app_migrations.migration (hash, created_at) values ('0000', 1785000000000), ('0001', 1785000000001)`,
    );
    await db.execute(sql`create schema app`);
    await expect(migrate(old.url)).rejects.toThrow(new OutdatedDatabaseError());
    expect(new OutdatedDatabaseError().message).toBe(
      "This database was made by an earlier version, whose tables cannot be upgraded: create a new, empty database and set DATABASE_URL to it.",
    );
    const tables = await db.execute(
      sql`select table_name from information_schema.tables where table_schema = 'app'`,
    );
    expect(tables.rows).toEqual([]);
    expect((await db.execute(sql`select hash from app_migrations.migration`)).rows).toHaveLength(2);
    await close();
    await old.drop();
  });

  it("are reported as missing when the last one has not run", async () => {
    const empty = await createEmptyDatabase();
    await migrate(empty.url);
    const { db, close } = connectDatabase(empty.url, createLog("silent"));
    await db.execute(sql`update app_migrations.migration set created_at = created_at - 1`);
    expect(await databaseStanding(db)).toBe("behind");
    await close();
    await empty.drop();
  });
});

describe("the connection pool", () => {
  it("survives the loss of every connection", async () => {
    const { log, entries } = capturedLog();
    const { db, pool, close } = connectDatabase(database.url, log);
    await db.execute(sql`select 1`);
    expect(pool.idleCount).toBe(1);
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${new URL(database.url).pathname.slice(1)}' and pid <> pg_backend_pid()`);
    await expect.poll(() => pool.totalCount).toBe(0);
    expect(entries()[0]).toMatchObject({
      level: "warn",
      msg: "an idle database connection was lost",
    });
    expect((await db.execute(sql`select 2 as two`)).rows).toEqual([{ two: 2 }]);
    await close();
  });

  it("survives the loss of a transaction's connection at any point", async () => {
    const limits = { maxConnections: 1, connectMs: 2_000, statementMs: 5_000 };
    const { db, pool, close } = connectDatabase(database.url, createLog("silent"), limits);
    pool.once("acquire", (client) => void (client as pg.Client).end());
    await expect(db.transaction((tx) => tx.execute(sql`select 1`))).rejects.toThrow(
      "Client was closed",
    );

    const lost = db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await asAdmin(`select pg_terminate_backend(${rows[0]?.pid})`);
      // Until the client has noticed: an error without a listener would end the process here.
      await expect
        .poll(() =>
          tx.execute(sql`select 1`).then(
            () => "alive",
            () => "dead",
          ),
        )
        .toBe("dead");
      await tx.execute(sql`select 1`);
    });
    await expect(lost).rejects.toThrow("Client has encountered a connection error");
    const { rows } = await db.transaction((tx) => tx.execute(sql`select 2 as two`));
    expect(rows).toEqual([{ two: 2 }]);
    await close();
  });

  it("ends a statement that runs too long", async () => {
    const limits = { maxConnections: 1, connectMs: 5_000, statementMs: 50 };
    const { db, close } = connectDatabase(database.url, createLog("silent"), limits);
    await expect(db.execute(sql`select pg_sleep(30)`)).rejects.toThrow("statement timeout");
    expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    await close();
  });
});

it.skipIf(!hasPromtool)("a query that waits for a connection fires an alert", async () => {
  const limits = { maxConnections: 1, connectMs: 60_000 };
  const { pool, close } = connectDatabase(database.url, createLog("silent"), limits);
  const client = await pool.connect();
  const waiting = pool.query("select 1");
  const firing = await alertsOf({ sources: { databasePool: () => pool } });
  client.release();
  await waiting;
  await close();
  expect(firing).toEqual(["DatabaseConnectionsExhausted"]);
});

it.skipIf(!hasPromtool)("reads that wait for a lock fire an alert", async () => {
  const { pool } = connection;
  const metrics = createMetrics();
  const readiness = {
    async check() {
      await pool.query("select from app.api_key limit 1");
      return { postgres: { ready: true } };
    },
  };
  const app = testApp({ metrics, readiness });
  const late = `select from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database() and now() - query_start > interval '1.5 seconds'`;
  const firing = await alertsOf({
    metrics,
    async work() {
      const client = await pool.connect();
      await client.query("begin; lock table app.api_key in access exclusive mode");
      const read = app.request("/ready");
      await expect.poll(async () => (await pool.query(late)).rowCount).toBe(1);
      await client.query("rollback");
      client.release();
      await read;
    },
  });
  expect(firing).toEqual(["ReadsSlow"]);
});

describe("the API key store", () => {
  const at = new Date("2026-01-01T00:00:00Z");
  const later = new Date(at.getTime() + 60_000);
  const record = (changes: object = {}) => ({
    hash: randomBytes(32),
    hint: "a1B2",
    holder: "owner" as const,
    kind: "live" as const,
    tokenId: 2n ** 60n,
    registrationId: null,
    epoch: 3,
    createdAt: at,
    ...changes,
  });

  it("returns a stored key, and nothing for an unknown one", async () => {
    const store = apiKeyStore(connection.db);
    const key = record();
    await store.insert(key);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    const unused = { revokedAt: null, lastUsedAt: null, exchangedAt: null };
    expect(await store.find(key.hash)).toEqual({ ...key, id, ...unused });
    expect(await store.find(randomBytes(32))).toBeNull();
    await expect(store.insert(key)).rejects.toThrow("api_key_pkey");
  });

  it("revokes a key once, and may shorten its grace period but not prolong it", async () => {
    const store = apiKeyStore(connection.db);
    const key = record({ tokenId: 1n });
    await store.insert(key);
    expect(await store.revokeAllOfToken(1n, later)).toBe(1);
    expect(await store.revokeAllOfToken(1n, at)).toBe(1);
    expect(await store.revokeAllOfToken(1n, later)).toBe(0);
    expect((await store.find(key.hash))?.revokedAt).toEqual(at);
  });

  it("revokes all keys of one agent or registration, and no others", async () => {
    const store = apiKeyStore(connection.db);
    const registrationId = randomUUID();
    const mine = [record({ tokenId: 50n }), record({ tokenId: 50n })];
    const other = record({ tokenId: 51n });
    const pending = record({ kind: "provisional", tokenId: null, epoch: null, registrationId });
    for (const key of [...mine, other, pending]) await store.insert(key);
    expect(await store.revokeAllOfToken(50n, at)).toBe(2);
    expect(await store.revokeAllOfRegistration(registrationId, at)).toBe(1);
    expect((await store.find(other.hash))?.revokedAt).toBeNull();
    for (const key of [...mine, pending]) {
      expect((await store.find(key.hash))?.revokedAt).toEqual(at);
    }
  });
});
