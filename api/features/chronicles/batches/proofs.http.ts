import { ApiError } from "../../../kernel/errors.ts";
import { idNumber, idNumberOrNull } from "../../../platform/http/schemas.ts";
import type { ChronicleService, RecordedChronicle } from "../chronicles.ts";
import { queueIdOf } from "../chronicles.ts";
import type { ChronicleDeployment } from "../content.ts";

export type ChronicleProofs = ReturnType<typeof createChronicleProofs>;

/** Proofs that chronicles are on chain, as answers and pages have them. */
export function createChronicleProofs(
  chronicles: Pick<ChronicleService, "find" | "inclusion" | "estimatedConfirmation">,
  deployment: ChronicleDeployment,
) {
  return {
    /** @throws ApiError NOT_FOUND */
    async find(queueId: string): Promise<RecordedChronicle> {
      const match = /^([1-9][0-9]{0,15})-([1-9][0-9]{0,15})-[0-9]{1,16}$/.exec(queueId);
      const chronicle =
        match && (await chronicles.find(BigInt(match[1] ?? ""), BigInt(match[2] ?? "")));
      if (!chronicle || queueIdOf(chronicle) !== queueId) throw new ApiError("NOT_FOUND");
      return chronicle;
    },

    /** The proof, or when to expect it. */
    async proof(chronicle: RecordedChronicle) {
      const { chainId, chronicleAnchor, soulRegistry } = deployment;
      const common = {
        ...commonBody(chronicle),
        status: chronicle.status,
        chronicleHash: chronicle.leaf,
        contentHash: chronicle.contentHash,
        chainId,
        chronicleAnchor,
        soulRegistry,
      };
      if (chronicle.status === "queued" || chronicle.txHash === null) {
        const estimated = chronicles.estimatedConfirmation(chronicle.recordedAt);
        return { ...common, estimatedConfirmation: estimated.toISOString() };
      }
      const inclusion =
        chronicle.batchId === null
          ? null
          : await chronicles.inclusion(chronicle.tokenId, chronicle.chronicleId);
      return {
        ...common,
        batchId: idNumberOrNull(chronicle.batchId),
        merkleProof: [...(inclusion?.merkleProof ?? [])],
        merkleRoot: inclusion?.root ?? null,
        leavesArweaveTxId: inclusion?.leavesArchiveId ?? null,
        txHash: chronicle.txHash,
      };
    },
  };
}

/** What every answer about a chronicle has. */
export function commonBody(chronicle: RecordedChronicle) {
  return {
    chronicleId: idNumber(chronicle.chronicleId),
    tokenId: idNumber(chronicle.tokenId),
    category: chronicle.category,
    changeType: chronicle.changeType,
    arweaveTxId: chronicle.archiveId,
    timestamp: chronicle.recordedAt.toISOString(),
    queueId: queueIdOf(chronicle),
  };
}
