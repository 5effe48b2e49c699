import { desc } from "drizzle-orm";
import { dateOf } from "../../kernel/chain-time.ts";
import type { Database } from "../../platform/database/connect.ts";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import type { LastBatch } from "./overview.ts";

const { batch } = chainViews;

/** Reads the batch of records that was anchored last. */
export function lastBatchStore(db: Database): () => Promise<LastBatch | null> {
  return async () => {
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
  };
}
