import { z } from "@hono/zod-openapi";
import { agentTypeName, storageIdIn } from "../../../protocol/index.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { freshRead, ownerSigned } from "../../platform/http/operations.ts";
import { idNumber, idNumberOrNull } from "../../platform/http/schemas.ts";
import type { RegistrationContext } from "../registration/index.ts";
import { agentWalletBody, PublicIdentitySchema } from "../registration/index.ts";
import type { AgentRegistration } from "./claim/stored.ts";
import type { ClaimAnswer, ClaimService } from "./claims.ts";
import { ClaimDraftSchema, ClaimedSchema, ClaimSchema, toTerms } from "./schemas.ts";

interface ClaimsOfAgents {
  readonly claims: ClaimService;
  readonly registrationContext: RegistrationContext;
}

export const getClaimDraft = endpoint({
  operationId: "getClaimDraft",
  // Its id is a secret between agent and owner.
  rules: { ...freshRead, origins: "own" },
  method: "get",
  path: "/register/claim",
  tag: "Registration",
  summary: "What an owner is about to claim",
  description: "For holders of the claim URL. Of the agent's soul only what is public is known.",
  query: { id: z.string().min(1).max(128) },
  done: "The registration, with what the agent declared while it can be claimed.",
  answer: ClaimDraftSchema,
  errors: ["INVALID_REQUEST", "NOT_FOUND", "GONE"],
  run: async ({ id }, { claims, registrationContext }: ClaimsOfAgents) =>
    draftBody(id, await claims.draft(id), registrationContext),
});

export const claimAgent = endpoint({
  operationId: "claimAgent",
  rules: {
    ...ownerSigned,
    typedData: "claim",
    rate: "register",
    largeIntegers: "text",
    legacyPaths: ["/claim"],
  },
  method: "post",
  path: "/register/claim",
  tag: "Registration",
  summary: "Claim an agent that registered itself",
  description:
    "One signature of the owner mints the agent and, unless `seal` is false, seals it, in one transaction that the service pays for. The answer holds the full API key and the soul's salt, once: send an `Idempotency-Key`, so that it can be read again after a lost connection.",
  body: ClaimSchema,
  done: "Claimed, and visible to reads from block `X-Svc-Block` on.",
  answer: ClaimedSchema,
  errors: [
    "INVALID_REQUEST",
    "INVALID_SIGNATURE",
    "NONCE_EXPIRED",
    "NONCE_USED",
    "NOT_OWNER",
    "APPROVAL_REQUIRED",
    "NOT_FOUND",
    "NAME_TAKEN",
    "ALREADY_CLAIMED",
    "WALLET_NOT_DEPLOYED",
    "Erc8004AgentIdAlreadyBound",
    "IDEMPOTENCY_CONFLICT",
    "GONE",
    "HASH_MISMATCH",
    "CHAIN_UNAVAILABLE",
    "STORAGE_UNAVAILABLE",
    "GAS_BUDGET_EXHAUSTED",
    "REGISTRY_PENDING",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  async run({ body }, { claims, registrationContext }: ClaimsOfAgents, c) {
    const { nonce, signature, ...terms } = body;
    const claimed = await claims.claim(toTerms(terms), { nonce, signature }, requesterOf(c));
    c.header(INDEXED_BLOCK_HEADER, claimed.indexedBlock.toString());
    return claimedBody(claimed, registrationContext);
  },
});

function draftBody(
  registrationId: string,
  registration: AgentRegistration,
  { links }: RegistrationContext,
) {
  const { name, state, content, documentText, createdAt, expiresAt, tokenId } = registration;
  return {
    registrationId,
    status: state === "claimed" ? ("claimed" as const) : ("pending_owner_claim" as const),
    agentName: name,
    profileUrl: links.profile(name),
    createdAt: createdAt.toISOString(),
    claimExpiresAt: expiresAt.toISOString(),
    tokenId: idNumberOrNull(tokenId),
    ownerAddress: registration.owner,
    draft: content && {
      agentType: agentTypeName(content.agentType),
      sourceFormat: content.sourceFormat,
      agentDescription: content.agentDescription,
      publicIdentity: PublicIdentitySchema.parse(content.publicIdentity),
      publicFields: { ...content.publicFields },
      birthBundle: content.birthBundle,
      personalityDocument: content.document && {
        id: content.document.id,
        title: content.document.title,
        content: documentText ?? "",
        contentHash: content.document.contentHash,
        immutable: content.document.immutable,
      },
      erc8004AgentId: idNumberOrNull(content.erc8004AgentId),
    },
  };
}

function claimedBody(
  { message, request, completed, ...claimed }: ClaimAnswer,
  context: RegistrationContext,
) {
  const { links } = context;
  const { tokenId, passportId, agentUri, completeUri } = completed;
  const genesisStatus = message.seal ? ("SEALED" as const) : ("PROVISIONAL" as const);
  return {
    success: true as const,
    tokenId: idNumber(tokenId),
    agentName: request.agentName,
    did: claimed.did,
    ownerAddress: request.ownerAddress,
    profileUrl: links.profile(request.agentName),
    txHash: completed.txHash,
    arweaveTxId: completed.archiveId,
    soulHash: request.soulHash,
    soulMerkleRoot: request.soulMerkleRoot,
    genesisStatus,
    message:
      genesisStatus === "SEALED"
        ? `${request.agentName} is yours and sealed. Keep soulSalt: it is shown only now.`
        : `${request.agentName} is yours, and not sealed yet. Keep soulSalt: it is shown only now.`,
    erc8004AgentId: idNumber(passportId),
    agentUriArweaveTxId: agentUri === null ? null : storageIdIn(agentUri),
    newAgentUriUrl: links.resolvable(completeUri),
    newAgentUriTxId: storageIdIn(completeUri) ?? "",
    needsAgentUriUpdate: agentUri !== completeUri,
    agentUriTransaction: claimed.agentUriTransaction,
    pendingMetadata: claimed.pendingMetadata,
    approvalTransaction: claimed.approvalTransaction,
    agentWallet: agentWalletBody(context, claimed.agentWallet),
    soulSalt: claimed.soulSalt,
    merkleLeaves: request.merkleLeaves.map((leaf) => ({ ...leaf })),
    apiKey: claimed.apiKey,
    agentKeeps: claimed.agentKeeps,
  };
}
