import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  databaseStanding,
  migrate,
  OutdatedProcessError,
} from "../../../../api/platform/database/migrate.ts";
import { addMigration } from "../../../../scripts/faults/next-version.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

const OWN = "api/platform/database/migrations";
const directory = mkdtempSync(join(tmpdir(), "versions-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let versions = 0;

/** The migrations of a version that follows `before` with one more. */
function nextVersion(before: string, tag: string, sql: string): string {
  versions += 1;
  const folder = join(directory, String(versions));
  cpSync(before, folder, { recursive: true });
  addMigration(folder, tag, sql);
  return folder;
}

const EXPAND = nextVersion(OWN, "9000_note", "alter table app.audit add column note text;");
const CONTRACT = nextVersion(
  EXPAND,
  "9001_scope",
  "-- contract: since 0.5.0, 9000_note. Nothing reads the column.\nalter table app.audit drop column scope;",
);
const INDEX = nextVersion(
  OWN,
  "9000_index",
  "drop index concurrently if exists app.audit_scope;--> statement-breakpoint\ncreate unique index concurrently audit_scope on app.audit (scope);",
);

/** An audit with this scope, as SQL. */
const audit = (scope: string) => `insert into app.audit (id, kind, signer, regulatory_body,
    regulatory_did, scope, audit_reference, created_at, upload_expires_at)
  values (gen_random_uuid(), 'regulatory', '', '', '', '${scope}', '', now(), now())`;

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const standing = (folder: string) => databaseStanding(drizzle(client), folder);
const upgrade = (folder: string) => migrate(database.url, undefined, folder);

describe("two versions on one database", () => {
  it("run side by side after an addition, in both directions", async () => {
    expect(await standing(EXPAND)).toBe("behind");
    expect(await upgrade(EXPAND)).toBe(1);
    expect(await standing(EXPAND)).toBe("usable");
    expect(await standing(OWN)).toBe("usable");
    // The previous version starts again, as in a roll back.
    expect(await upgrade(OWN)).toBe(0);
    expect(await upgrade(EXPAND)).toBe(0);
  });

  it("refuse a version that uses what was removed, and no other", async () => {
    expect(await upgrade(CONTRACT)).toBe(2);
    expect(await standing(CONTRACT)).toBe("usable");
    expect(await standing(EXPAND)).toBe("usable");
    expect(await upgrade(EXPAND)).toBe(0);
    expect(await standing(OWN)).toBe("contracted");
    await expect(upgrade(OWN)).rejects.toThrow(new OutdatedProcessError());
    expect(new OutdatedProcessError().message).toBe(
      "This version is too old for the database: a later version has removed tables or columns that this one uses. Start the version that migrated the database, or a later one.",
    );
  });

  it("upgrade a journal that was made before removals were recorded", async () => {
    await client.query("alter table app_migrations.migration drop column if exists needs");
    expect(await standing(OWN)).toBe("usable");
    expect(await upgrade(CONTRACT)).toBe(2);
    expect(await standing(OWN)).toBe("contracted");
  });
});

describe("migrations beside running processes", () => {
  it("let others use a table while they wait for its lock", async () => {
    await client.query("begin");
    await client.query("select from app.audit");
    const migrated = upgrade(EXPAND);
    const waits = "select from pg_locks where mode = 'AccessExclusiveLock' and not granted";
    await using other = await connection();
    await expect
      .poll(async () => (await other.client.query(waits)).rowCount, { interval: 10 })
      .toBe(1);
    // Queued behind the migration, until that gives up.
    await other.client.query("select from app.audit");
    await client.query("commit");
    expect(await migrated).toBe(1);
  });

  it("build an index concurrently while other processes want to migrate as well", async () => {
    const applied = await Promise.all([upgrade(INDEX), upgrade(INDEX), upgrade(INDEX)]);
    expect(applied.sort()).toEqual([0, 0, 1]);
    expect(await indexIsValid()).toBe(true);
  });

  it("repair an index that an earlier run left invalid", async () => {
    await client.query(`${audit("same")}; ${audit("same")}`);
    await expect(upgrade(INDEX)).rejects.toThrow("could not create unique index");
    expect(await indexIsValid()).toBe(false);
    expect(await standing(INDEX)).toBe("behind");
    await client.query("delete from app.audit");
    expect(await upgrade(INDEX)).toBe(1);
    expect(await indexIsValid()).toBe(true);
  });

  it("undo a migration whose second statement fails", async () => {
    const broken = nextVersion(
      OWN,
      "9000_broken",
      "alter table app.audit add column note text;--> statement-breakpoint\nalter table app.missing add column note text;",
    );
    await expect(upgrade(broken)).rejects.toThrow('relation "app.missing" does not exist');
    const { rowCount } = await client.query(
      "select from pg_attribute where attrelid = 'app.audit'::regclass and attname = 'note'",
    );
    expect(rowCount).toBe(0);
    expect(await standing(OWN)).toBe("usable");
  });
});

async function connection() {
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  return { client: other, [Symbol.asyncDispose]: () => other.end() };
}

async function indexIsValid(): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass('app.audit_scope')",
  );
  return rows[0]?.valid;
}
