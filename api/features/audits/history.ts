import { storageIdIn } from "../../../protocol/index.ts";
import type { ArchivedItem } from "../../platform/storage/stored-content.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedAgents, SoulOrigin } from "../../soul/index-reads.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import { readArchivedSoul } from "../verification/index.ts";
import type { AuditChain, AuditedHistory } from "./ports.ts";
import type { AuditedChronicle } from "./verification.ts";
import { addTallies, tallyChronicles } from "./verification.ts";

export interface AuditedHistoryDeps {
  readonly agents: IndexedAgents;
  readonly soulOrigin: (tokenId: bigint) => Promise<SoulOrigin | null>;
  readonly age: Pick<IndexAge, "behind">;
  readonly inspect: (id: string) => Promise<ArchivedItem>;
  readonly chronicles: (
    tokenId: bigint,
    block: bigint,
  ) => AsyncIterable<readonly AuditedChronicle[]>;
  readonly chain: Pick<AuditChain, "chronicleFacts">;
}

/** Reads archive and chronicles of audited souls again. */
export function createAuditedHistory(deps: AuditedHistoryDeps): AuditedHistory {
  return {
    async archivedClaim(soul) {
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
      for await (const page of deps.chronicles(tokenId, block)) {
        const facts = await deps.chain.chronicleFacts(tokenId, page, block);
        tally = addTallies(tally, tallyChronicles(page, facts));
      }
      return tally;
    },
  };
}
