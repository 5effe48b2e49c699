import { createRoute } from "@hono/zod-openapi";
import type { Address } from "viem";
import type { SigningPlace } from "../../../protocol/index.ts";
import type { BoundOperation } from "../../operations/bind.ts";
import {
  OWNER_OPERATION_ERRORS,
  TYPED_DATA_ERRORS,
  typedDataBody,
} from "../../operations/schemas.ts";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { idNumber } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { operations } from "./operation-rules.ts";
import { PrepareSealSchema, SealedSchema, SealSchema } from "./seal.schemas.ts";
import type { Sealed, SealRequest } from "./seal.ts";
import { humanProofFor } from "./seal.ts";

export interface SealRouteDeps {
  readonly sealing: BoundOperation<SealRequest, "Seal", Sealed>;
  readonly signingPlace: SigningPlace;
  readonly registrationContext: { readonly worldIdVerifier: Address | null };
}

const prepareSeal = createRoute({
  method: "post",
  path: "/typed-data/seal",
  operationId: "prepareSeal",
  tags: ["Registration"],
  summary: "The EIP-712 data that an owner signs to seal a provisional agent",
  description: "Takes the body of `POST /v1/seal` without its signature. Nothing is stored.",
  request: { body: jsonBody(PrepareSealSchema) },
  responses: {
    200: {
      description: "Exactly the data that is verified.",
      content: { "application/json": { schema: TypedDataSchema } },
    },
    ...errorResponses(...TYPED_DATA_ERRORS, "ALREADY_SEALED"),
  },
});

const seal = createRoute({
  method: "post",
  path: "/seal",
  operationId: "sealAgent",
  tags: ["Registration"],
  summary: "Seal a provisional agent by its owner's signature",
  description:
    "Seals the soul as it was registered, in one transaction that the service pays for. Only here, and at registration, can the owner prove to be a person.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SealSchema) },
  responses: {
    200: {
      description: "Sealed, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: SealedSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "ALREADY_SEALED"),
  },
});

/** `/seal`, and what its owner signs. */
export function sealRoutes({ sealing, signingPlace, registrationContext }: SealRouteDeps) {
  const { worldIdVerifier } = registrationContext;
  const routes = createRouter(operations);

  routes.openapi(prepareSeal, async (c) => {
    const { tokenId, ...proofs } = c.req.valid("json");
    const humanProof = humanProofFor(proofs, worldIdVerifier);
    const message = await sealing.prepare({ tokenId, humanProof });
    return c.json(typedDataBody(signingPlace, "Seal", message), 200);
  });

  routes.openapi(seal, async (c) => {
    const { tokenId, message, signature, signer, ...proofs } = c.req.valid("json");
    const { result, indexedBlock } = await sealing.perform(
      { tokenId, humanProof: humanProofFor(proofs, worldIdVerifier) },
      { message, signature, signer },
      requesterOf(c),
    );
    c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
    return c.json(
      {
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
      },
      200,
    );
  });
  return routes;
}
