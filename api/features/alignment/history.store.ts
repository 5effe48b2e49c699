import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import type { ScoreHistory } from "./alignment.ts";

const { alignment } = chainViews;

/** Recorded scores from the index. */
export function createScoreHistory(pool: Pool): ScoreHistory {
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
  return {
    list: (tokenId, epoch, limit) =>
      readable(() => scores.execute({ tokenId: tokenId.toString(), epoch, limit })),
  };
}
