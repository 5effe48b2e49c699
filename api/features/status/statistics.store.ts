import { sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import { chronicleBatch, chronicleState } from "../chronicles/index.ts";
import type { ServiceStatistics } from "./statistics.ts";

/**
 * Counts the rows of the index and of the records in one query. Sealed souls are counted in the
 * index by validity, without reading them. A batch says how many records it has; those that are on
 * chain by themselves are in none.
 */
export function statisticsStore(db: Database): () => Promise<ServiceStatistics> {
  const { soul, passport } = chainViews;
  return async () => {
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
  };
}
