import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { chainViews, readable } from "../../soul/index-views.store.ts";

const { alignment } = chainViews;

/** Recorded scores of one epoch of an agent from the index, the newest first. */
export function createScoreHistory(pool: Pool) {
  const scores = drizzle(pool)
    .select({
      score: alignment.score,
      scoredBlock: alignment.scoredBlock,
      recordedAt: alignment.timestamp,
      archiveId: alignment.archiveId,
      txHash: alignment.tx,
    })
    .from(alignment)
    .where(
      and(
        eq(alignment.tokenId, sql.placeholder("tokenId")),
        eq(alignment.epoch, sql.placeholder("epoch")),
      ),
    )
    .orderBy(desc(alignment.scoredBlock))
    .limit(sql.placeholder("limit"))
    .prepare("chain_alignment_history");
  return (tokenId: bigint, epoch: number, limit: number) =>
    readable(() => scores.execute({ tokenId: tokenId.toString(), epoch, limit }));
}
