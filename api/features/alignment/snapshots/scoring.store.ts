import type { Address, Hex } from "viem";
import type { AlignmentContracts, AlignmentDocument } from "../../../../protocol/index.ts";
import {
  ALIGNMENT_DOCUMENT_BYTES,
  alignmentDocument,
  alignmentDocumentBytes,
  alignmentOf,
} from "../../../../protocol/index.ts";
import { dateOf } from "../../../kernel/chain-time.ts";
import { ApiError } from "../../../kernel/errors.ts";
import type { FactSource } from "../facts/facts.store.ts";
import type { CurrentAlignment, GatheredAgent, ScoredAgent } from "../facts/facts.ts";
import type { DroppedSnapshot, OpenSnapshot, ScoredSnapshot } from "./snapshots.store.ts";

/** What became of one snapshot. `later`: it can be computed at a later block only. */
export type ScoringResult =
  | { readonly kind: "scored"; readonly snapshot: ScoredSnapshot }
  | { readonly kind: "dropped"; readonly reason: string }
  | { readonly kind: "later" };

export type Scoring = ReturnType<typeof createScoring>;
export type ScoringDeps = Parameters<typeof createScoring>[0];

/** After this time, a registration file that cannot be looked for counts as one that cannot be read. */
const FILE_PATIENCE_MS = 24 * 60 * 60 * 1000;

/** Applies the formula to facts, and writes down what it used. */
export function createScoring(place: {
  readonly facts: FactSource;
  readonly chainId: number;
  readonly contracts: AlignmentContracts;
  /** The account that signs archive items. */
  readonly issuer: Address;
  readonly clock: () => Date;
  /** A block of the chain as it is now; null when it has none of this number. */
  readonly block: (
    number: bigint,
  ) => Promise<{ readonly hash: Hex; readonly timestamp: bigint } | null>;
}) {
  const { facts } = place;

  return {
    /** Scores agents in the epochs of their snapshots, all of one block. */
    async score(
      snapshots: readonly OpenSnapshot[],
    ): Promise<readonly { readonly id: string; readonly result: ScoringResult }[]> {
      const { at, agents } = await facts.gather(snapshots.map(({ tokenId }) => tokenId));
      const block = await place.block(at.block);
      // The index follows another branch than the node: it catches up.
      const isKnown = block !== null && block.timestamp === at.timestamp;
      const byToken = new Map(agents.map((agent) => [agent.tokenId, agent]));
      return snapshots.map((snapshot) => ({
        id: snapshot.id,
        result: isKnown
          ? scored(place, snapshot, byToken.get(snapshot.tokenId) ?? null, {
              number: at.block,
              hash: block.hash,
              timestamp: at.timestamp,
            })
          : { kind: "later" },
      }));
    },

    /** Of scored snapshots, those that must not be recorded any more, each with the reason. */
    async ended(
      snapshots: readonly Pick<OpenSnapshot, "id" | "tokenId" | "epoch">[],
    ): Promise<readonly DroppedSnapshot[]> {
      const agents = await facts.states(snapshots.map(({ tokenId }) => tokenId));
      const byToken = new Map(agents.map((agent) => [agent.tokenId, agent]));
      return snapshots.flatMap(({ id, tokenId, epoch }) => {
        const agent = byToken.get(tokenId);
        const reason = agent === undefined ? null : noRecordReason(agent, epoch);
        return reason === null ? [] : [{ id, reason }];
      });
    },

    /**
     * The score of one agent now; null when it is not indexed.
     *
     * @throws ApiError STORAGE_UNAVAILABLE when its registration file cannot be looked for.
     */
    async current(tokenId: bigint): Promise<CurrentAlignment | null> {
      const { at, agents } = await facts.gather([tokenId]);
      const [agent] = agents;
      if (agent === undefined) return null;
      if (!agent.isFileKnown) throw new ApiError("STORAGE_UNAVAILABLE");
      const { epoch } = agent;
      const alignment = alignmentOf(agent.facts, { tokenId, epoch, timestamp: at.timestamp });
      return { agent, alignment, at };
    },
  };
}

function scored(
  { chainId, contracts, issuer, clock }: ScoringDeps,
  { epoch, createdAt }: OpenSnapshot,
  agent: GatheredAgent | null,
  block: AlignmentDocument["block"],
): ScoringResult {
  if (agent === null) return { kind: "later" };
  const reason = noRecordReason(agent, epoch);
  if (reason !== null) return { kind: "dropped", reason };
  // The registry takes a later block than that of the last record.
  if (agent.recordedBlock !== null && agent.recordedBlock >= block.number) {
    return { kind: "later" };
  }
  // Its owner chose the URI, and must not be able to put the score off for ever.
  const isOverdue = clock().getTime() - createdAt.getTime() > FILE_PATIENCE_MS;
  if (!agent.isFileKnown && !isOverdue) return { kind: "later" };
  const { tokenId, passportId, agentName } = agent;
  const document = alignmentDocument(
    { chainId, contracts, tokenId, passportId, agentName, epoch, block, issuer },
    agent.facts,
  );
  const { score, breakdown } = document;
  // It was old enough on chain when it was asked for: the index is not as far yet.
  if (score === null) return { kind: "later" };
  const content = alignmentDocumentBytes(document);
  if (content.byteLength > ALIGNMENT_DOCUMENT_BYTES) {
    return { kind: "dropped", reason: "The inputs are larger than a document may be." };
  }
  return {
    kind: "scored",
    snapshot: {
      score,
      breakdown,
      scoredBlock: block.number,
      scoredHash: block.hash,
      scoredAt: dateOf(block.timestamp),
      content: new TextDecoder().decode(content),
    },
  };
}

function noRecordReason(agent: ScoredAgent, epoch: number): string | null {
  if (agent.epoch !== epoch) return "The soul was resealed.";
  if (agent.status === "BURNED") return "The soul is burned.";
  if (agent.status === "PROVISIONAL") return "The soul is not sealed.";
  return agent.isHeldBySealer ? null : "The soul is suspended.";
}
