import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import type { Executor } from "./connect.ts";

const MIGRATIONS = {
  migrationsFolder: fileURLToPath(new URL("./migrations", import.meta.url)),
  // Not `app`: the first migration creates it.
  migrationsSchema: "app_migrations",
  migrationsTable: "migration",
};

/** Refused: the tables of this database were made by an earlier version's migrations. */
export class OutdatedDatabaseError extends Error {
  override readonly name = "OutdatedDatabaseError";
  constructor() {
    super(
      "This database was made by an earlier version, whose tables cannot be upgraded: create a new, empty database and set DATABASE_URL to it.",
    );
  }
}

/** An arbitrary fixed number: every process that migrates this database takes the same lock. */
const MIGRATION_LOCK = 7_340_118_201;

/**
 * Brings the schema `app` up to date. Safe to run from several processes at once: they take turns.
 *
 * @param ownerUrl The same database under the role that owns the tables. With it, the role of
 * `databaseUrl` is granted what the API does and no more: it can add chronicles, and change or
 * delete none.
 * @returns how many migrations it applied.
 * @throws {OutdatedDatabaseError} when an earlier version's migrations made the tables.
 */
export async function migrate(databaseUrl: string, ownerUrl?: string): Promise<number> {
  const client = new pg.Client({
    connectionString: ownerUrl ?? databaseUrl,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {
    // A lost connection also rejects the statement it interrupts, which is what the caller sees.
  });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const db = drizzle(client);
    await assertOwnMigrations(db);
    const before = await countApplied(db);
    await runMigrations(db, MIGRATIONS);
    if (ownerUrl !== undefined) await grantTo(client, roleOf(databaseUrl));
    return (await countApplied(db)) - before;
  } finally {
    await client.end();
  }
}

function roleOf(databaseUrl: string): string {
  const role = decodeURIComponent(new URL(databaseUrl).username);
  if (role === "")
    throw new Error("DATABASE_URL names no role, and MIGRATION_DATABASE_URL needs one.");
  return role;
}

/** One implicit transaction: a role never has only half of its rights. */
async function grantTo(client: pg.Client, role: string): Promise<void> {
  const to = pg.escapeIdentifier(role);
  const migrations = MIGRATIONS.migrationsSchema;
  await client.query(`
    grant usage on schema app, ${migrations} to ${to};
    grant select on all tables in schema ${migrations} to ${to};
    grant select, insert, update, delete on all tables in schema app to ${to};
    grant usage on all sequences in schema app to ${to};
    revoke update, delete, truncate on app.chronicle from ${to};`);
}

/** Every journal begins with the initial migration, which is never edited after a release. */
async function assertOwnMigrations(db: Executor): Promise<void> {
  if (!(await hasJournal(db))) return;
  const first = await db.execute<{ hash: string }>(
    sql`select hash from ${JOURNAL} order by created_at, id limit 1`,
  );
  const [applied] = first.rows;
  const [initial] = readMigrationFiles(MIGRATIONS);
  if (applied !== undefined && applied.hash !== initial?.hash) throw new OutdatedDatabaseError();
}

/** Whether every migration this build knows has run. Rejects when the database does not answer. */
export async function isMigrated(db: Executor): Promise<boolean> {
  const known = readMigrationFiles(MIGRATIONS).map((migration) => migration.folderMillis);
  if (!(await hasJournal(db))) return false;
  const { rows } = await db.execute<{ latest: string | null }>(
    sql`select max(created_at) as latest from ${JOURNAL}`,
  );
  return Number(rows[0]?.latest ?? 0) >= Math.max(...known);
}

async function countApplied(db: Executor): Promise<number> {
  if (!(await hasJournal(db))) return 0;
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${JOURNAL}`,
  );
  return rows[0]?.count ?? 0;
}

const JOURNAL = sql`${sql.identifier(MIGRATIONS.migrationsSchema)}.${sql.identifier(MIGRATIONS.migrationsTable)}`;

async function hasJournal(db: Executor): Promise<boolean> {
  const name = `${MIGRATIONS.migrationsSchema}.${MIGRATIONS.migrationsTable}`;
  const { rows } = await db.execute(sql`select to_regclass(${name}) is not null as found`);
  return rows[0]?.found === true;
}
