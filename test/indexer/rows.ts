import { createHash } from "node:crypto";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import * as schema from "../../indexer/ponder.schema.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Every table of the index by its name in Postgres. */
export const TABLES: Readonly<Record<string, PgTable>> = Object.fromEntries(
  Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map((table) => [
      getTableName(table),
      // Ponder sets the schema while it builds; a test has no such build.
      Object.assign(table, { [Symbol.for("drizzle:Schema")]: "chain" }),
    ]),
);

/** Every row of one table of the index, with the names of the schema, in the order of its key. */
export async function rowsOf<T extends PgTable>(pool: pg.Pool, table: T) {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return (await drizzle(pool)
    .select(getTableColumns(table))
    .from(table as PgTable)
    .orderBy(...key)) as T["$inferSelect"][];
}

/** Everything in the index, in the form of {@link canonical}. */
export async function everyRow(pool: pg.Pool): Promise<Record<string, string[]>> {
  const tables = await Promise.all(
    Object.entries(TABLES).map(
      async ([name, table]) => [name, canonical(await rowsOf(pool, table))] as const,
    ),
  );
  return Object.fromEntries(tables);
}

/** A hash over each table of the index, and its number of rows. */
export async function tableHashes(
  pool: pg.Pool,
): Promise<Readonly<Record<string, { readonly rows: number; readonly hash: string }>>> {
  const tables = Object.entries(await everyRow(pool));
  return Object.fromEntries(
    tables.map(([name, rows]) => [
      name,
      { rows: rows.length, hash: createHash("sha256").update(rows.join("\n")).digest("hex") },
    ]),
  );
}

/**
 * Rows as text that is equal when they are: keys sorted, without nulls, addresses in lower case.
 */
export function canonical(rows: readonly Row[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.keys(row)
          .sort()
          .filter((key) => row[key] !== null && row[key] !== undefined)
          .map((key) => `${key}=${canonicalValue(row[key])}`),
      ),
    )
    .sort();
}

function canonicalValue(value: unknown): string {
  const text = typeof value === "string" ? value : String(value);
  return /^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text;
}
