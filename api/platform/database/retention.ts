import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { termsOf } from "./columns.ts";
import type { Database } from "./connect.ts";

/** Rows that one statement deletes: a longer one would delay others that need the table. */
const BATCH = 1_000;

/**
 * Deletes the rows whose days are over, of every table that states them. Each batch is a transaction
 * of its own, so that a run that is ended goes on with the next one.
 *
 * @returns how many rows went, by table.
 */
export async function forgetRows(
  db: Database,
  tables: readonly object[],
  now: Date,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const gone: Record<string, number> = {};
  for (const table of tables.flatMap((exported) => Object.values(exported))) {
    if (!is(table, PgTable)) continue;
    const { kept } = termsOf(table);
    if (!("days" in kept)) continue;
    const limit = sql`${now}::timestamptz - make_interval(days => ${kept.days})`;
    // An index on the column finds the rows: text is compared as text.
    const isOver = sql`${sql.raw(kept.since)} ${
      kept.written === undefined
        ? sql`< ${limit}`
        : sql`<= to_char((${limit}) at time zone 'UTC', ${kept.written})`
    } and ${sql.raw(kept.only ?? "true")}`;
    let count = 0;
    for (let deleted = BATCH; deleted === BATCH && !signal.aborted; count += deleted) {
      // Rows that another transaction uses are left to the next run.
      const result = await db.execute(sql`delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${isOver} limit ${BATCH} for update skip locked))`);
      deleted = result.rowCount ?? 0;
    }
    if (count > 0) gone[getTableName(table)] = count;
  }
  return gone;
}
