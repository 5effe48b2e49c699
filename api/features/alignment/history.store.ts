import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import type { Hex } from "viem";
import { chainViews, readable } from "../../soul/index-views.store.ts";

const { alignment } = chainViews;

/** A score that is on chain. */
export interface RecordedScore {
  readonly score: number;
  /** The block whose state was scored. */
  readonly scoredBlock: bigint;
  /** Unix seconds of the block that recorded it. */
  readonly recordedAt: bigint;
  readonly archiveId: Hex;
  readonly txHash: Hex;
}

/** The scores that the chain has of an agent. */
export interface ScoreHistory {
  /** Those of one epoch, the newest first. */
  list(tokenId: bigint, epoch: number, limit: number): Promise<readonly RecordedScore[]>;
}

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
