import { escapeIdentifier, type Pool } from "pg";
import { changeQuietly } from "./quiet-change.ts";

/** How long a Ponder keeps its index after its last sign of life: `databaseHeartbeatTimeout` of its options. */
const KEPT_MS = 25_000;

/** For each table of an index, the statements that remove what a Ponder makes once it is ready: its triggers and indexes. */
const CHANGES = `
  select array_agg(statement) as statements from (
    select g.tgrelid as changed, format('drop trigger if exists %I on %s', g.tgname, g.tgrelid::regclass) as statement
    from pg_trigger g join pg_proc p on p.oid = g.tgfoid
    where p.pronamespace = to_regnamespace($1)
    union all
    select i.indrelid, format('drop index if exists %s', i.indexrelid::regclass)
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = to_regnamespace($1) and not starts_with(t.relname, '_reorg__')
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
  ) as changes group by changed`;

/**
 * Prepares an index that is read for the start of a Ponder, which removes its triggers and indexes in one transaction, and so
 * waits for the reads of all tables while these wait for it, in deadlocks. Here they are removed table by table, and Ponder
 * locks nothing where nothing is left.
 *
 * @returns false while another Ponder may write to the index, and when a read held one of the tables for too long.
 */
export async function prepareRestart(pool: Pool, schema: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // No Ponder can begin to write meanwhile: without its triggers it would not note what it changes.
    const { rows: lives } = await client.query<{ isLocked: boolean; at: number }>(
      `select value ->> 'is_locked' = '1' as "isLocked", (value ->> 'heartbeat_at')::float8 as at
      from ${escapeIdentifier(schema)}._ponder_meta where key = 'app' for update`,
    );
    if (lives.some(({ isLocked, at }) => isLocked && at + KEPT_MS > Date.now())) return false;
    const { rows } = await client.query<{ statements: string[] }>(CHANGES, [schema]);
    for (const { statements } of rows) {
      if (!(await changeQuietly(pool, statements))) return false;
    }
    return true;
  } finally {
    await client.query("rollback").catch(() => {});
    client.release();
  }
}
