import { desc, sql } from "drizzle-orm";
import { dateOf } from "../../kernel/chain-time.ts";
import type { Database } from "../../platform/database/connect.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import { chronicleBatch, chronicleState } from "../chronicles/index.ts";
import type { LastBatch, ServiceStatistics } from "./overview.ts";

const { batch, soul, passport } = chainViews;

/** The batch of records that was anchored last; null before the first. */
export async function lastBatch(db: Database): Promise<LastBatch | null> {
  const [row] = await readable(() =>
    db
      .select({ id: batch.id, records: batch.leafCount, timestamp: batch.timestamp })
      .from(batch)
      .orderBy(desc(batch.id))
      .limit(1),
  );
  if (row === undefined) return null;
  const { id, records, timestamp } = row;
  return { id, records, anchoredAt: dateOf(timestamp) };
}

/**
 * Counts the rows of the index and of the records in one query. Sealed souls are counted in the
 * index by validity, without reading them. A batch says how many records it has; those that are on
 * chain by themselves are in none.
 */
export async function countStatistics(db: Database): Promise<ServiceStatistics> {
  const { rows } = await readable(() =>
    db.execute<{ sealed: number; passports: number; chronicles: number }>(sql`
      select
        (select count(*)::int from ${soul} where ${soul.validity} in ('valid', 'suspended')) as sealed,
        (select count(*)::int from ${passport}) as passports,
        (select count(*) from ${chronicleState} where ${chronicleState.txHash} is not null)::int
          + (select coalesce(sum(${chronicleBatch.leafCount}), 0) from ${chronicleBatch}
            where ${chronicleBatch.stage} in ('anchored', 'confirmed'))::int as chronicles`),
  );
  const [row] = rows;
  if (row === undefined) throw new Error("A query of counts has one row.");
  return row;
}
