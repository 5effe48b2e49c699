import type { Address, Hex } from "viem";
import type { OwnerMessage } from "../../../protocol/index.ts";
import type { OperationKind } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import { type EndedGrants, type EndedReads, endedGrants } from "./ended-grants.ts";
import { type MovedSoul, type MovedSoulDeps, readMoved } from "./moved-soul.ts";

export interface ReleaseRequest {
  readonly tokenId: bigint;
}

export interface ReleasePayload {
  readonly name: string;
  readonly passportId: string;
  /** The soul's last archive; null when none is known. */
  readonly archiveId: string | null;
  readonly ended: EndedGrants;
}

export interface Released extends ReleasePayload {
  readonly tokenId: string;
  readonly releasedBy: Address;
  readonly txHash: Hex;
  /** ISO 8601. */
  readonly releasedAt: string;
}

export interface ReleaseDeps extends MovedSoulDeps {
  readonly ended: EndedReads;
  readonly replaced: (tokenId: bigint) => Promise<{ readonly archiveId: string | null }>;
  readonly timeOf: (blockNumber: bigint) => Promise<Date>;
  readonly releaseCall: (message: OwnerMessage<"Release">, signature: Hex) => Call;
}

/** Three times what was measured; the owner's wallet may be a contract. */
const GAS = 300_000n;

/** Ends a suspended soul, for a passport's owner who wants none on it. */
export function createReleaseKind(
  deps: ReleaseDeps,
): OperationKind<ReleaseRequest, "Release", ReleasePayload, Released> {
  return {
    kind: "release",
    messageName: "Release",
    role: "newOwner",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId }) => ({ tokenId: tokenId.toString() }),
    read: ({ tokenId }) => readMoved(deps, tokenId),

    async plan(_request, soul: MovedSoul) {
      const [{ archiveId }, ended] = await Promise.all([
        deps.replaced(soul.tokenId),
        endedGrants(deps.ended, soul),
      ]);
      return {
        fields: { newOwner: soul.owner, observedBlock: soul.observedBlock },
        payload: {
          name: soul.name,
          passportId: soul.passportId.toString(),
          archiveId,
          ended,
        },
        items: [],
      };
    },

    isSuperseded: async (_operation, { status }) => status === "BURNED",

    call: ({ evidence }) => deps.releaseCall(evidence.message, evidence.signature),

    async result({ tokenId, payload, evidence }, { txHash, blockNumber }) {
      const releasedAt = (await deps.timeOf(blockNumber)).toISOString();
      return {
        ...payload,
        tokenId: tokenId.toString(),
        releasedBy: evidence.message.newOwner,
        txHash,
        releasedAt,
      };
    },
  };
}
