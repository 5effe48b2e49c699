import { createRoute, z } from "@hono/zod-openapi";
import { agentTypeName, storageIdIn } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { idNumber, idNumberOrNull } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { RegistrationContext } from "../registration/index.ts";
import { agentWalletBody, PublicIdentitySchema } from "../registration/index.ts";
import type { AgentRegistration } from "./claim/stored.ts";
import type { ClaimTerms } from "./claim/terms.ts";
import type { ClaimAnswer, ClaimService } from "./claims.ts";
import { operations } from "./operation-rules.ts";
import {
  ClaimDraftSchema,
  ClaimedSchema,
  ClaimSchema,
  type ClaimTermsSchema,
  toEdits,
} from "./schemas.ts";

const getClaimDraft = createRoute({
  method: "get",
  path: "/register/claim",
  operationId: "getClaimDraft",
  tags: ["Registration"],
  summary: "What an owner is about to claim",
  description: "For holders of the claim URL. Of the agent's soul only what is public is known.",
  request: { query: z.object({ id: z.string().min(1).max(128) }) },
  responses: {
    200: {
      description: "The registration, with what the agent declared while it can be claimed.",
      content: { "application/json": { schema: ClaimDraftSchema } },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "GONE"),
  },
});

const claimAgent = createRoute({
  method: "post",
  path: "/register/claim",
  operationId: "claimAgent",
  tags: ["Registration"],
  summary: "Claim an agent that registered itself",
  description:
    "One signature of the owner mints the agent and, unless `seal` is false, seals it, in one transaction that the service pays for. The answer holds the full API key and the soul's salt, once: send an `Idempotency-Key`, so that it can be read again after a lost connection.",
  request: { headers: IdempotencyHeaders, body: jsonBody(ClaimSchema) },
  responses: {
    200: {
      description: "Claimed, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: ClaimedSchema } },
    },
    ...errorResponses(
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
    ),
  },
});

/** `GET` and `POST /register/claim`. */
export const claimRoutes = ({
  claims,
  registrationContext: context,
}: {
  readonly claims: ClaimService;
  readonly registrationContext: RegistrationContext;
}) =>
  createRouter(operations)
    .openapi(getClaimDraft, async (c) => {
      const { id } = c.req.valid("query");
      return c.json(draftBody(id, await claims.draft(id), context), 200);
    })
    .openapi(claimAgent, async (c) => {
      const { nonce, signature, ...body } = c.req.valid("json");
      const claimed = await claims.claim(toTerms(body), { nonce, signature }, requesterOf(c));
      c.header(INDEXED_BLOCK_HEADER, claimed.indexedBlock.toString());
      return c.json(claimedBody(claimed, context), 200);
    });

/** The terms of a validated body. */
export function toTerms(body: z.output<typeof ClaimTermsSchema>): ClaimTerms {
  const { registrationId, ownerAddress, editedData, seal = true } = body;
  const edits = toEdits(editedData);
  return { registrationId, ownerAddress, edits, seal, agentKeeps: agentKeepsOf(body) };
}

/** Both spellings mean the same. A body with both must give them the same value. */
function agentKeepsOf({ agentKeeps, agentKey }: z.output<typeof ClaimTermsSchema>): boolean {
  if (agentKeeps !== undefined && agentKey !== undefined && agentKeeps !== agentKey) {
    const message = `agentKeeps says ${agentKeeps}`;
    throw badRequest("agentKey", message);
  }
  return agentKeeps ?? agentKey ?? true;
}

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
