import type { Address, Hex } from "viem";
import type { OperationKind } from "../../operations/soul-operation.ts";
import { type EndedGrants, endedGrants } from "./ended-grants.ts";
import type { Endings } from "./endings.ts";
import { type MovedSoul, readMoved } from "./moved-soul.ts";

interface ReleasePayload {
  readonly name: string;
  readonly passportId: string;
  /** The soul's last archive; null when none is known. */
  readonly archiveId: string | null;
  readonly ended: EndedGrants;
}

interface Released extends ReleasePayload {
  readonly tokenId: string;
  readonly releasedBy: Address;
  readonly txHash: Hex;
  /** ISO 8601. */
  readonly releasedAt: string;
}

/** Three times what was measured; the owner's wallet may be a contract. */
const GAS = 300_000n;

/** Ends a suspended soul, for a passport's owner who wants none on it. */
export function createReleaseKind(
  endings: Endings,
): OperationKind<{ readonly tokenId: bigint }, "Release", ReleasePayload, Released> {
  return {
    kind: "release",
    messageName: "Release",
    role: "newOwner",
    gas: GAS,
    tokenIdOf: ({ tokenId }) => tokenId,
    requestJson: ({ tokenId }) => ({ tokenId: tokenId.toString() }),
    read: ({ tokenId }) => readMoved(endings, tokenId),

    async plan(_request, soul: MovedSoul) {
      const [{ archiveId }, ended] = await Promise.all([
        endings.replaced(soul.tokenId),
        endedGrants(endings.ended, soul),
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

    call: ({ evidence }) => endings.chain.release(evidence.message, evidence.signature),

    async result({ tokenId, payload, evidence }, { txHash, blockNumber }) {
      const releasedAt = (await endings.chain.timeOf(blockNumber)).toISOString();
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
