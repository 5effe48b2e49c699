import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

type Value = bigint | number | string | Date;

/**
 * The rows that come after a position, in an order whose columns all have the same direction.
 * PostgreSQL begins there in an index of the columns, and skips no rows.
 *
 * @param by The columns of the order, each with its value at the position.
 * @returns undefined without a position: all rows.
 */
export function rowsAfter<Position>(
  after: Position | null | undefined,
  direction: "asc" | "desc",
  by: (after: Position) => readonly (readonly [AnyPgColumn, Value])[],
): SQL | undefined {
  if (after === null || after === undefined) return undefined;
  const parts = by(after);
  const columns = sql.join(
    parts.map(([column]) => sql`${column}`),
    sql`, `,
  );
  const values = sql.join(
    parts.map(([, value]) => sql`${parameter(value)}`),
    sql`, `,
  );
  return direction === "asc" ? sql`(${columns}) > (${values})` : sql`(${columns}) < (${values})`;
}

function parameter(value: Value): number | string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "bigint" ? value.toString() : value;
}
