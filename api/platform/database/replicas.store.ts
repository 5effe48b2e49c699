import { sql } from "drizzle-orm";
import type { Executor } from "./connect.ts";

/** A replica that streams from PostgreSQL. */
export interface Replica {
  /** Its `application_name`. Replicas of one name count as one, the slowest of them. */
  readonly replica: string;
  /** Time until it shows a write; 0 when it shows all of them, null before it first answered. */
  readonly lagSeconds: number | null;
}

/**
 * The replicas that PostgreSQL knows. Empty on a replica itself, and for a role that may not read
 * `pg_stat_replication` (it needs `pg_monitor`).
 */
export async function listReplicas(db: Executor): Promise<readonly Replica[]> {
  const { rows } = await db.execute<{ replica: string; lag: number | null }>(sql`
    select coalesce(nullif(application_name, ''), 'unnamed') as replica,
      max(case
        when replay_lsn >= sent_lsn then 0
        else extract(epoch from replay_lag)
      end)::float8 as lag
    from pg_stat_replication where state in ('streaming', 'catchup')
    group by 1 order by 1`);
  return rows.map(({ replica, lag }) => ({ replica, lagSeconds: lag }));
}
