import { type SQL, sql } from "drizzle-orm";

/**
 * An array as a parameter of a prepared statement, for `unnest`. PostgreSQL cannot look through the
 * sub-select: it otherwise estimates each array by its length, finds the plan for it cheaper than
 * the general one, and plans the statement anew each time, which takes longer than running it.
 */
export function arrayParameter(name: string, type: "text" | "numeric"): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)}[])`;
}

/** A list as one parameter, for `unnest` and `any`: drizzle would spread it over as many as it has entries. */
export function listParameter(values: readonly unknown[], type: string): SQL {
  return sql`${sql.param([...values])}::${sql.raw(type)}[]`;
}
