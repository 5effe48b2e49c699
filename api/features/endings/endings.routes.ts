import { createRoute, z } from "@hono/zod-openapi";
import type { Address } from "viem";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { humanProofFor } from "../life/index.ts";
import { allLeaves } from "../registration/index.ts";
import {
  endedBody,
  type PrepareResealSchema,
  ReleasedSchema,
  ReleaseSchema,
  ResealedSchema,
  ResealSchema,
} from "./endings.schemas.ts";
import type { Handovers } from "./handovers.ts";
import { operations } from "./operation-rules.ts";
import type { ResealRequest } from "./reseal.ts";

export interface EndingRouteDeps {
  readonly handovers: Handovers;
  readonly registrationContext: { readonly worldIdVerifier: Address | null };
}

const ofAgent = { headers: IdempotencyHeaders, params: z.object({ tokenId: TokenIdParam }) };
export const NOT_SUSPENDED = ["ALREADY_SEALED", "FORBIDDEN"] as const;
export const CONTENT_ERRORS = ["HASH_MISMATCH", "INVALID_MERKLE_DATA"] as const;

const resealRoute = createRoute({
  method: "post",
  path: "/reseal/{tokenId}",
  operationId: "resealAgent",
  tags: ["Death and reincarnation"],
  summary: "Seal a new soul for an agent whose passport has a new owner",
  description:
    "By the passport's owner: a buyer, or the seller once the passport is back. Begins a seal epoch: what was granted before ends, and is listed as `ended`. The archive of the soul before stays. Name and type stay, and the leaves must commit to them. Send an `Idempotency-Key`, so that the answer, which holds the new API key, can be read again.",
  request: { ...ofAgent, body: jsonBody(ResealSchema) },
  responses: {
    200: {
      description: "Resealed, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: ResealedSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, ...NOT_SUSPENDED, ...CONTENT_ERRORS),
  },
});

const releaseRoute = createRoute({
  method: "post",
  path: "/release/{tokenId}",
  operationId: "releaseAgent",
  tags: ["Death and reincarnation"],
  summary: "End a suspended agent, for a passport's new owner who wants no soul on it",
  description:
    "By the passport's owner, and irreversible. The passport is free to carry another soul; the name stays taken.",
  request: { ...ofAgent, body: jsonBody(ReleaseSchema) },
  responses: {
    200: {
      description: "Ended, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: ReleasedSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, ...NOT_SUSPENDED),
  },
});

/** `/reseal` and `/release`. */
export function endingRoutes(deps: EndingRouteDeps) {
  const { handovers } = deps;
  const { worldIdVerifier } = deps.registrationContext;

  const routes = createRouter(operations);

  routes
    .openapi(resealRoute, async (c) => {
      const { tokenId } = c.req.valid("param");
      const { message, signature, signer, tokenId: said, ...body } = c.req.valid("json");
      assertSameAgent(tokenId, said);
      const { result, indexedBlock, apiKey } = await handovers.reseal(
        resealRequest(tokenId, body, worldIdVerifier),
        { message, signature, signer },
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(
        {
          ...agentIds({ tokenId, passportId: BigInt(result.passportId) }),
          agentName: result.name,
          epoch: result.epoch,
          newSealedBy: result.newOwner,
          newSoulHash: result.soulHash,
          newArweaveTxId: result.archiveId,
          resealTxHash: result.txHash,
          previousSoulArweave: result.previousArchiveId,
          valid: result.valid,
          message:
            "A new seal epoch began. What was granted before has ended, and is listed as ended.",
          apiKey,
          ended: endedBody(result.ended),
          agentURI: result.agentURI,
          needsAgentUriUpdate: result.agentUriTransaction !== null,
          agentUriTransaction: result.agentUriTransaction,
          pendingMetadata: result.pendingMetadata.map((entry) => ({ ...entry })),
          approvalTransaction: result.approvalTransaction,
        },
        200,
      );
    })
    .openapi(releaseRoute, async (c) => {
      const { tokenId } = c.req.valid("param");
      const { message, signature, signer, tokenId: said } = c.req.valid("json");
      assertSameAgent(tokenId, said);
      const { result, indexedBlock } = await handovers.release(
        { tokenId },
        { message, signature, signer },
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(
        {
          ...agentIds({ tokenId, passportId: BigInt(result.passportId) }),
          agentName: result.name,
          status: "BURNED" as const,
          releasedBy: result.releasedBy,
          releaseTxHash: result.txHash,
          arweaveArchive: result.archiveId,
          releasedAt: result.releasedAt,
          ended: endedBody(result.ended),
          note: "The soul has ended, and its archive stays. Your passport is free to carry another soul; the name stays taken.",
        },
        200,
      );
    });
  return routes;
}

/** The request of a validated body. */
export function resealRequest(
  tokenId: bigint,
  body: Omit<z.output<typeof PrepareResealSchema>, "tokenId">,
  worldIdVerifier: Address | null,
): ResealRequest {
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
}
