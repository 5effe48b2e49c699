import { and, asc, eq, gt, sql } from "drizzle-orm";
import { bytesToHex } from "viem";
import type { Database } from "../../platform/database/connect.ts";
import { chronicle, chronicleBatch, chronicleState, hashesOf } from "../chronicles/index.ts";
import type { AuditedChronicle } from "./verification.ts";

/** Chronicles in memory at once. */
const PAGE = 500;

/** All chronicles of an agent, a page in memory at a time. */
export function createChronicleReads(db: Database) {
  return async function* pages(
    tokenId: bigint,
    block: bigint,
  ): AsyncGenerator<readonly AuditedChronicle[]> {
    // A batch that was anchored later is not on chain yet for the audit's block.
    const isAnchored = sql`${chronicleBatch.stage} in ('anchored', 'confirmed')
      and ${chronicleBatch.blockNumber} <= ${block.toString()}::bigint`;
    for (let last = 0n; ; ) {
      const rows = await db
        .select({
          content: chronicle,
          txHash: chronicleState.txHash,
          proof: chronicleState.proof,
          batchId: chronicleState.batchId,
          isAnchored: sql<boolean>`coalesce(${isAnchored}, false)`,
        })
        .from(chronicle)
        .innerJoin(
          chronicleState,
          and(
            eq(chronicleState.tokenId, chronicle.tokenId),
            eq(chronicleState.chronicleId, chronicle.chronicleId),
          ),
        )
        .leftJoin(chronicleBatch, eq(chronicleBatch.id, chronicleState.batchId))
        .where(and(eq(chronicle.tokenId, tokenId), gt(chronicle.chronicleId, last)))
        .orderBy(asc(chronicle.chronicleId))
        .limit(PAGE);
      yield rows.map(({ content, ...state }) => ({
        tokenId: content.tokenId,
        chronicleId: content.chronicleId,
        category: content.category,
        changeType: content.changeType,
        contentHash: content.contentHash,
        recordedAt: content.recordedAt,
        leaf: bytesToHex(content.leaf),
        batchId: state.isAnchored ? state.batchId : null,
        proof: state.proof === null ? [] : hashesOf(state.proof),
        txHash: state.txHash,
      }));
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = end.content.chronicleId;
    }
  };
}
