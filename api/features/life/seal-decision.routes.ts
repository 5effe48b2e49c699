import type { Address } from "viem";
import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { idNumber } from "../../platform/http/schemas.ts";
import { HUMAN_PROOF_SHAPE, SealedSchema } from "./seal.schemas.ts";
import { createSealKind, humanProofFor, type SealDeps } from "./seal.ts";

/** What a seal needs of the rest of the service. */
export interface SealParts extends Pick<SealDeps, "archiveOfRegistered" | "sealCall"> {
  readonly passportFiles: Omit<SealDeps, "archiveOfRegistered" | "sealCall">;
  readonly registrationContext: { readonly worldIdVerifier: Address | null };
}

export const seal = soulDecision({
  path: "seal",
  tag: "Registration",
  prepare: {
    operationId: "prepareSeal",
    summary: "The EIP-712 data that an owner signs to seal a provisional agent",
  },
  perform: {
    operationId: "sealAgent",
    summary: "Seal a provisional agent by its owner's signature",
    description:
      "Seals the soul as it was registered, in one transaction that the service pays for. Only here, and at registration, can the owner prove to be a person.",
    done: "Sealed, and visible to reads from block `X-Svc-Block` on.",
  },
  messageName: "Seal",
  schemaName: "Seal",
  shape: HUMAN_PROOF_SHAPE,
  largeIntegers: "text",
  answer: SealedSchema,
  errors: ["ALREADY_SEALED"],
  kind: ({ passportFiles, archiveOfRegistered, sealCall }: SealParts) =>
    createSealKind({ ...passportFiles, archiveOfRegistered, sealCall }),
  request: ({ tokenId, ...proofs }, { registrationContext }) => ({
    tokenId,
    humanProof: humanProofFor(proofs, registrationContext.worldIdVerifier),
  }),
  answerOf: (result) => ({
    tokenId: idNumber(BigInt(result.tokenId)),
    erc8004AgentId: idNumber(BigInt(result.passportId)),
    agentName: result.name,
    did: result.did,
    genesisStatus: "SEALED" as const,
    soulHash: result.soulHash,
    soulMerkleRoot: result.soulMerkleRoot,
    contentHash: result.contentHash,
    arweaveTxId: result.archiveId,
    sealTxHash: result.txHash,
    humanVerified: result.humanVerified,
    agentURI: result.agentURI,
    needsAgentUriUpdate: result.agentUriTransaction !== null,
    agentUriTransaction: result.agentUriTransaction,
    pendingMetadata: result.pendingMetadata.map((entry) => ({ ...entry })),
    approvalTransaction: result.approvalTransaction,
  }),
});
