import { escapeIdentifier, type Pool } from "pg";
import type { Logger } from "pino";

/** Milliseconds between two tries. */
const RETRY_MS = 10_000;
/** Milliseconds that a trigger waits for its table. Who wants to write there waits behind it. */
const LOCK_MS = 1_000;

const TRIGGER = "public_change";
/**
 * The tables of `chain`, and those that its views read: each view reads one. Not Ponder's own: how far the
 * index has come is a part of each state, and changes with every block.
 */
const TABLES = `
  select distinct n.nspname as schema, t.relname as name, exists (
    select from pg_trigger g where g.tgrelid = t.oid and g.tgname = '${TRIGGER}' and g.tgenabled = 'O'
  ) as counted
  from pg_class v
  left join pg_rewrite r on r.ev_class = v.oid
  left join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
    and d.refclassid = 'pg_class'::regclass
  join pg_class t on t.oid in (v.oid, d.refobjid) and t.relkind in ('r', 'p')
  join pg_namespace n on n.oid = t.relnamespace
  where v.relnamespace = to_regnamespace('chain') and t.relname not like '\\_ponder\\_%'`;

const VIEWS = "select to_regclass('chain._ponder_checkpoint')::oid as views";

interface IndexedTable {
  readonly schema: string;
  readonly name: string;
  readonly counted: boolean;
}

/**
 * Whether changes of everything that the views with this number read are counted; see
 * `PublicStates`. While it is not known, false, and triggers are added to the index's tables.
 */
export function countedViews(pool: Pool, log: Logger): (views: number) => boolean {
  let counted: number | null = null;
  let nextTry = 0;

  async function count(views: number): Promise<void> {
    try {
      await addTriggers(pool);
      const { rows } = await pool.query<{ views: number | null }>(VIEWS);
      // Other views have other tables, which were perhaps not those above.
      if (rows[0]?.views === views) counted = views;
    } catch (error) {
      if (!pool.ending)
        log.warn({ err: error }, "changes of the index are not counted yet: no answer is kept");
    }
  }

  return (views) => {
    if (views !== counted && performance.now() >= nextTry) {
      nextTry = performance.now() + RETRY_MS;
      void count(views);
    }
    return views === counted;
  };
}

async function addTriggers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<IndexedTable>(TABLES);
  if (rows.length === 0) throw new Error("The index has no tables.");
  // One table at a time: two locks could wait for a writer that waits for it.
  for (const table of rows) {
    if (!table.counted) await pool.query(triggerOf(table));
  }
}

/** Several statements in one text are one transaction, which `set local` is for. */
function triggerOf({ schema, name }: IndexedTable): string {
  const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
  return `set local lock_timeout = ${LOCK_MS};
    create or replace trigger ${TRIGGER} after insert or update or delete or truncate on ${table}
    for each statement execute function app.count_public_change()`;
}
