import type { Address } from "viem";
import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { agentIds } from "../../platform/http/schemas.ts";
import { humanProofFor } from "../life/index.ts";
import { allLeaves } from "../registration/index.ts";
import { endedBody, NOT_SUSPENDED, ResealedSchema, resealShape } from "./endings.schemas.ts";
import type { createResealKind } from "./reseal.ts";

interface ResealParts {
  readonly resealKind: ReturnType<typeof createResealKind>;
  /**
   * The API key that the reseal of this request issued; null for any other: a signature is public
   * once it is on chain, so only the request that was accepted first reads the key, also again.
   */
  readonly resealedKey: (operationKey: string, tokenId: bigint) => Promise<string | null>;
  readonly registrationContext: { readonly worldIdVerifier: Address | null };
}

export const reseal = soulDecision({
  path: "reseal",
  route: "/reseal/{tokenId}",
  tag: "Death and reincarnation",
  prepare: {
    operationId: "prepareReseal",
    summary: "The EIP-712 data that a passport's owner signs to reseal its agent",
    description:
      "Takes the body of `POST /v1/reseal/{tokenId}` without its signature, and with `tokenId`. While the passport's owner is not recorded on chain, the service records it, and the answer is 409 `SUSPENDED` with `Retry-After`.",
  },
  perform: {
    operationId: "resealAgent",
    summary: "Seal a new soul for an agent whose passport has a new owner",
    description:
      "By the passport's owner: a buyer, or the seller once the passport is back. Begins a seal epoch: what was granted before ends, and is listed as `ended`. The archive of the soul before stays. Name and type stay, and the leaves must commit to them. Send an `Idempotency-Key`, so that the answer, which holds the new API key, can be read again.",
    done: "Resealed, and visible to reads from block `X-Svc-Block` on.",
  },
  messageName: "Reseal",
  schemaName: "Reseal",
  shape: resealShape,
  largeIntegers: "text",
  answer: ResealedSchema,
  errors: [...NOT_SUSPENDED, "HASH_MISMATCH", "INVALID_MERKLE_DATA"],
  kind: ({ resealKind }: ResealParts) => resealKind,
  request({ tokenId, ...body }, { registrationContext: { worldIdVerifier } }) {
    const { newSoulHash: soulHash, newSoulSalt: soulSalt } = body;
    return {
      tokenId,
      soulHash,
      soulSalt,
      soulMerkleRoot: body.newSoulMerkleRoot,
      merkleLeaves: allLeaves({ soulHash, soulSalt, merkleLeaves: body.merkleLeaves }),
      publicFields: body.publicFields ?? {},
      operator: body.operatorAddress ?? null,
      archiveId: body.newArweaveTxId ?? null,
      humanProof: humanProofFor(body, worldIdVerifier),
    };
  },
  answerOf: async (result, { tokenId }, { parts, c }) => ({
    ...agentIds({ tokenId, passportId: BigInt(result.passportId) }),
    agentName: result.name,
    epoch: result.epoch,
    newSealedBy: result.newOwner,
    newSoulHash: result.soulHash,
    newArweaveTxId: result.archiveId,
    resealTxHash: result.txHash,
    previousSoulArweave: result.previousArchiveId,
    valid: result.valid,
    message: "A new seal epoch began. What was granted before has ended, and is listed as ended.",
    apiKey: await parts.resealedKey(requesterOf(c).operationKey, tokenId),
    ended: endedBody(result.ended),
    agentURI: result.agentURI,
    needsAgentUriUpdate: result.agentUriTransaction !== null,
    agentUriTransaction: result.agentUriTransaction,
    pendingMetadata: result.pendingMetadata.map((entry) => ({ ...entry })),
    approvalTransaction: result.approvalTransaction,
  }),
});
