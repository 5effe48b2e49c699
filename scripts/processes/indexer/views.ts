import { escapeIdentifier, type Pool } from "pg";
import { VIEWS_SCHEMA } from "../../lib/indexer-command.ts";
import { changeQuietly } from "./quiet-change.ts";

/** The tables of an index, Ponder's own two among them, and whether a view shows each as it is. */
const TABLES = `
  select t.relname as name, exists (
    select from pg_class v
    join pg_rewrite r on r.ev_class = v.oid
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid
    where v.relnamespace = to_regnamespace($2) and v.relname = t.relname and ${columnsOf("v")} = ${columnsOf("t")}
  ) as "isShown"
  from pg_class t
  where t.relnamespace = to_regnamespace($1) and t.relkind = 'r' and not starts_with(t.relname, '_reorg__')
  order by name`;

function columnsOf(table: string): string {
  return `array(select (a.attname, a.atttypid)::text from pg_attribute a
    where a.attrelid = ${table}.oid and a.attnum > 0 and not a.attisdropped order by a.attnum)`;
}

/**
 * Points the views that the API reads at an index, all at once for every read. Takes no lock when they show it already. Ponder
 * can point them itself, but at each start, and in deadlocks with reads of several views.
 *
 * @returns false when a read held one of the views for too long.
 */
export async function pointViews(pool: Pool, schema: string): Promise<boolean> {
  const { rows } = await pool.query<{ name: string; isShown: boolean }>(TABLES, [
    schema,
    VIEWS_SCHEMA,
  ]);
  if (rows.every(({ isShown }) => isShown)) return true;
  const named = rows.map(({ name }) => ({
    view: `${VIEWS_SCHEMA}.${escapeIdentifier(name)}`,
    table: `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`,
  }));
  await pool.query(`create schema if not exists ${VIEWS_SCHEMA}`);
  return changeQuietly(pool, [
    `drop view if exists ${named.map(({ view }) => view)}`,
    ...named.map(({ view, table }) => `create view ${view} as select * from ${table}`),
  ]);
}
