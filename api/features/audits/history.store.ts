import { and, asc, eq, gt, sql } from "drizzle-orm";
import { bytesToHex } from "viem";
import { storageIdIn } from "../../../protocol/index.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { ArchivedItem } from "../../platform/storage/stored-content.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedAgents, SoulOrigin } from "../../soul/index-reads.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import { chronicle, chronicleBatch, chronicleState, hashesOf } from "../chronicles/index.ts";
import { type ArchivedClaim, readArchivedSoul } from "../verification/index.ts";
import { type AuditedChain, chronicleFacts } from "./audits.chain.ts";
import { type AuditedChronicle, addTallies, tallyChronicles } from "./verification.ts";

/** Chronicles in memory at once. */
const PAGE = 500;

/** Reads archive and chronicles of audited souls again. */
export function createAuditedHistory(deps: {
  readonly db: Database;
  readonly agents: IndexedAgents;
  readonly soulOrigin: (tokenId: bigint) => Promise<SoulOrigin | null>;
  readonly age: Pick<IndexAge, "behind">;
  readonly inspect: (id: string) => Promise<ArchivedItem>;
  readonly chain: AuditedChain;
}) {
  return {
    async archivedClaim(soul: ChainSoul): Promise<ArchivedClaim | null> {
      const { tokenId } = soul;
      const { at, value } = await deps.agents.agent(byTokenId(tokenId));
      const indexed = value?.soul ?? null;
      // The archive's id is in the index, which must have seen this very soul.
      if (indexed === null || indexed.soulHash !== soul.soulHash) throw deps.age.behind(at);
      const id = storageIdIn(`ar://${indexed.archiveId}`);
      if (id === null) return null;
      const item = await deps.inspect(id);
      if (item.state !== "intact") return null;
      const claim = readArchivedSoul(item.data, await deps.soulOrigin(tokenId));
      return typeof claim === "string" ? null : claim;
    },

    async chronicles({ tokenId, block }: ChainSoul) {
      let tally = { valid: 0, invalid: 0, pending: 0 };
      for await (const page of chroniclePages(deps.db, tokenId, block)) {
        const facts = await chronicleFacts(deps.chain, tokenId, page, block);
        tally = addTallies(tally, tallyChronicles(page, facts));
      }
      return tally;
    },
  };
}

/** All chronicles of an agent, a page in memory at a time. */
async function* chroniclePages(
  db: Database,
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
}
