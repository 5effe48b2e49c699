import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Executor } from "./connect.ts";
import { contractionOf, isConcurrent } from "./contraction.ts";

/** The migrations of this version. */
const FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));

// Not `app`: the first migration creates it.
const JOURNAL_SCHEMA = "app_migrations";
const JOURNAL_TABLE = "migration";
const JOURNAL_NAME = `${JOURNAL_SCHEMA}.${JOURNAL_TABLE}`;
const JOURNAL = sql`${sql.identifier(JOURNAL_SCHEMA)}.${sql.identifier(JOURNAL_TABLE)}`;

/** Refused: the tables of this database were made by an earlier version's migrations. */
export class OutdatedDatabaseError extends Error {
  override readonly name = "OutdatedDatabaseError";
  constructor() {
    super(
      "This database was made by an earlier version, whose tables cannot be upgraded: create a new, empty database and set DATABASE_URL to it.",
    );
  }
}

/** Refused: a later version's migrations removed something that this version uses. */
export class OutdatedProcessError extends Error {
  override readonly name = "OutdatedProcessError";
  constructor() {
    super(
      "This version is too old for the database: a later version has removed tables or columns that this one uses. Start the version that migrated the database, or a later one.",
    );
  }
}

/** An arbitrary fixed number: every process that migrates this database takes the same lock. */
const MIGRATION_LOCK = 7_340_118_201;
const LOCK_POLL_MS = 100;

/**
 * A statement that waits for a table's lock makes every later statement on that table wait too. So
 * it gives up after this time, and the migration is tried again.
 */
const TABLE_LOCK_MS = 2_000;
const TRIES = 30;
const RETRY_MS = 500;

/** PostgreSQL's code for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = "55P03";

interface Migration {
  readonly statements: readonly string[];
  readonly hash: string;
  /** Names it in the journal, in ascending order. */
  readonly createdAt: number;
  /**
   * The migration that every process must know once this one has run; null when it removes nothing.
   */
  readonly needs: number | null;
  readonly isConcurrent: boolean;
}

function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as {
    readonly entries: readonly { readonly tag: string; readonly when: number }[];
  };
  const files = readMigrationFiles({ migrationsFolder: folder });
  return journal.entries.map(({ tag, when }, index) => {
    const statements = files[index]?.sql ?? [];
    const text = statements.join("\n");
    const contraction = contractionOf(text);
    const needed = journal.entries.find((entry) => entry.tag === contraction?.needs);
    if (contraction !== null && needed === undefined)
      throw new Error(`${tag} needs ${contraction.needs}, which is not a migration.`);
    return {
      statements,
      hash: files[index]?.hash ?? "",
      createdAt: when,
      needs: needed?.when ?? null,
      isConcurrent: isConcurrent(text),
    };
  });
}

/**
 * Brings the schema `app` up to date. Safe to run from several processes at once, which take turns,
 * and beside processes of this version and the previous one.
 *
 * @param ownerUrl The same database under the role that owns the tables. With it, the role of
 * `databaseUrl` is granted what the API does and no more: it can add chronicles, and change or
 * delete none.
 * @param folder Where the migrations are. Default: those of this version.
 * @returns how many migrations it applied.
 * @throws {OutdatedDatabaseError} when an earlier version's migrations made the tables.
 * @throws {OutdatedProcessError} when a later version's migrations removed what this one uses.
 */
export async function migrate(
  databaseUrl: string,
  ownerUrl?: string,
  folder: string = FOLDER,
): Promise<number> {
  const migrations = readMigrations(folder);
  const client = new pg.Client({
    connectionString: ownerUrl ?? databaseUrl,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {
    // A lost connection also rejects the statement it interrupts, which is what the caller sees.
  });
  await client.connect();
  try {
    await takeTurn(client);
    const journal = await journalOf(drizzle(client));
    assertUsable(journal, migrations);
    await createJournal(client, journal);
    const pending = migrations.filter(({ createdAt }) => createdAt > (journal?.latest ?? 0));
    for (const migration of pending) await apply(client, migration);
    if (ownerUrl !== undefined) await grantTo(client, roleOf(databaseUrl));
    return pending.length;
  } finally {
    await client.end();
  }
}

/**
 * Asks again and again: a statement that waits for the lock would hold a snapshot, and an index
 * that is built concurrently waits for the end of every snapshot.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock($1) as taken",
      [MIGRATION_LOCK],
    );
    if (rows[0]?.taken) return;
    await delay(LOCK_POLL_MS);
  }
}

async function createJournal(client: pg.Client, journal: Journal | null): Promise<void> {
  if (journal === null) {
    await client.query(`create schema if not exists ${JOURNAL_SCHEMA}`);
    await client.query(`create table if not exists ${JOURNAL_NAME}
      (id serial primary key, hash text not null, created_at bigint, needs bigint)`);
  } else if (!journal.hasNeeds) {
    await client.query(`alter table ${JOURNAL_NAME} add column if not exists needs bigint`);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  // Each statement by itself. A run that was interrupted repeats them all: the check of migrations
  // demands that they can be repeated.
  if (migration.isConcurrent) {
    for (const statement of migration.statements) await client.query(statement);
    await record(client, migration);
    return;
  }
  for (let left = TRIES; ; left -= 1) {
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = ${TABLE_LOCK_MS}`);
      for (const statement of migration.statements) await client.query(statement);
      await record(client, migration);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback");
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || left <= 1) throw error;
      await delay(RETRY_MS);
    }
  }
}

async function record(client: pg.Client, { hash, createdAt, needs }: Migration): Promise<void> {
  await client.query(`insert into ${JOURNAL_NAME} (hash, created_at, needs) values ($1, $2, $3)`, [
    hash,
    createdAt,
    needs,
  ]);
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
  await client.query(`
    grant usage on schema app, ${JOURNAL_SCHEMA} to ${to};
    grant select on all tables in schema ${JOURNAL_SCHEMA} to ${to};
    grant select, insert, update, delete on all tables in schema app to ${to};
    grant usage, select on all sequences in schema app to ${to};
    revoke update, delete, truncate on app.chronicle from ${to};`);
}

/** What a database says about the migrations that have run. */
interface Journal {
  readonly firstHash: string | null;
  /** 0 before the first. */
  readonly latest: number;
  /** The migration that every process must know; 0 when nothing was removed yet. */
  readonly needed: number;
  readonly hasNeeds: boolean;
}

/** Null without a journal. */
async function journalOf(db: Executor): Promise<Journal | null> {
  const found = await db.execute(sql`select to_regclass(${JOURNAL_NAME}) is not null as found`);
  if (found.rows[0]?.found !== true) return null;
  // Journals of earlier versions lack the column `needs`.
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    select (array_agg(hash order by created_at, id))[1] as first_hash,
      coalesce(max(created_at), 0) as latest,
      coalesce(max((to_jsonb(entry) ->> 'needs')::bigint), 0) as needed,
      exists (select from pg_attribute
        where attrelid = to_regclass(${JOURNAL_NAME}) and attname = 'needs') as has_needs
    from ${JOURNAL} as entry`);
  const [row] = rows;
  return {
    firstHash: (row?.first_hash ?? null) as string | null,
    latest: Number(row?.latest ?? 0),
    needed: Number(row?.needed ?? 0),
    hasNeeds: row?.has_needs === true,
  };
}

/** Every journal begins with the initial migration, which is never edited after a release. */
function assertUsable(journal: Journal | null, migrations: readonly Migration[]): void {
  if (journal === null) return;
  const { firstHash, needed } = journal;
  if (firstHash !== null && firstHash !== migrations[0]?.hash) throw new OutdatedDatabaseError();
  if (needed > latestOf(migrations)) throw new OutdatedProcessError();
}

function latestOf(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map(({ createdAt }) => createdAt));
}

/**
 * How a database fits this version. `usable`: every migration that this version knows has run, and
 * perhaps later ones. `behind`: one has not. `contracted`: a later version removed what this one
 * uses.
 */
type DatabaseStanding = "usable" | "behind" | "contracted";

/** Rejects when the database does not answer. */
export async function databaseStanding(
  db: Executor,
  folder: string = FOLDER,
): Promise<DatabaseStanding> {
  const latest = latestOf(readMigrations(folder));
  const journal = await journalOf(db);
  if (journal === null || journal.latest < latest) return "behind";
  return journal.needed > latest ? "contracted" : "usable";
}
