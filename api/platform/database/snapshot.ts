import type { Pool } from "pg";
import { inBatches } from "../../kernel/batches.ts";

/** Names a state of the database; see `snapshotReader`. */
export type Snapshot = string;

// The start of the server is a part: after a failover other transactions have the same numbers. A server that replays the log of
// another one does not list the transactions that are in progress there, so its snapshots name nothing.
const PRESENT = {
  name: "present_snapshot",
  text: `select case when pg_is_in_recovery() then null
    else concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) end as snapshot`,
};

/**
 * Reads which transactions are visible now. While the answer is the same, no transaction has ended, so
 * every statement in between has read the same rows: the set of ended transactions only grows. The
 * answer is of after the call, so callers see their own writes. Concurrent calls share a statement.
 *
 * Null where it is not known.
 */
export function snapshotReader(pool: Pick<Pool, "query">): () => Promise<Snapshot | null> {
  const read = inBatches<"present", Snapshot | null>(async (callers) => {
    const { rows } = await pool.query<{ snapshot: Snapshot | null }>(PRESENT);
    const present = rows[0]?.snapshot ?? null;
    return callers.map(() => present);
  });
  return () => read("present");
}
