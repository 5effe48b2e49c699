import type { Address, Hex } from "viem";
import type { OwnerMessage } from "../../../protocol/index.ts";
import { type ChainOperation, requiredAs } from "../../operations/operation.ts";
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
export function releaseOperation(
  deps: ReleaseDeps,
): ChainOperation<ReleaseRequest, MovedSoul, ReleasePayload, Released> {
  return {
    kind: "release",
    settlement: "chain",
    messageTypes: { newOwner: { contract: "SoulRegistry", primaryType: "Release" } },
    requestJson: ({ tokenId }) => ({ tokenId: tokenId.toString() }),
    read: ({ tokenId }) => readMoved(deps, tokenId),
    signatures: (_request, { newOwner }) => [{ role: "newOwner", signer: newOwner }],
    subjects: (_request, { soul }) => [{ kind: "soul", id: soul.tokenId, epoch: soul.epoch }],

    async plan(_request, { soul, newOwner, observedBlock }) {
      const { tokenId, epoch, name } = soul;
      const [{ archiveId }, ended] = await Promise.all([
        deps.replaced(tokenId),
        endedGrants(deps.ended, soul),
      ]);
      return {
        messages: {
          newOwner: {
            tokenId,
            epoch,
            version: soul.version,
            newOwner,
            observedBlock,
          },
        },
        payload: {
          name,
          passportId: soul.passportId.toString(),
          archiveId,
          ended,
        },
        secrets: null,
        items: [],
      };
    },

    gas: () => GAS,

    call({ signatures }) {
      const { message, signature } = requiredAs<OwnerMessage<"Release">>(signatures, "newOwner");
      return deps.releaseCall(message, signature);
    },

    async result({ payload, signatures }, { txHash, blockNumber }) {
      const { tokenId, newOwner } = requiredAs<OwnerMessage<"Release">>(
        signatures,
        "newOwner",
      ).message;
      const releasedAt = (await deps.timeOf(blockNumber)).toISOString();
      return {
        ...payload,
        tokenId: tokenId.toString(),
        releasedBy: newOwner,
        txHash,
        releasedAt,
      };
    },

    async isSuperseded({ signatures }) {
      const { tokenId } = requiredAs<OwnerMessage<"Release">>(signatures, "newOwner").message;
      return (await deps.souls.soul(tokenId))?.status === "BURNED";
    },
  };
}
