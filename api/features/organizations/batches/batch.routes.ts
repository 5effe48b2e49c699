import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../../kernel/errors.ts";
import { OWNER_OPERATION_ERRORS, typedMessageSchema } from "../../../operations/schemas.ts";
import { countAlso, requesterOf } from "../../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../../platform/http/router.ts";
import {
  AddressSchema,
  AgentIdsAnswer,
  agentIds,
  Hex32Schema,
  IdAnswer,
  idNumber,
  SignatureSchema,
  TokenIdSchema,
} from "../../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../../platform/idempotency/idempotency.http.ts";
import { RegistrationSchema, toRegistrationInput, UintSchema } from "../../registration/index.ts";
import { organizationIn } from "../answers.http.ts";
import { withFleetId } from "../fleet.http.ts";
import { operations as rules } from "../operation-rules.ts";
import { ORGANIZATION_ID, OrganizationParams } from "../schemas.ts";
import { type BatchMessage, type BatchRequest, MAX_BATCH } from "./batch.ts";
import type { Batches } from "./batches.ts";

const BatchAgentSchema = RegistrationSchema.pick({
  agentName: true,
  agentType: true,
  soulHash: true,
  soulSalt: true,
  soulMerkleRoot: true,
  merkleLeaves: true,
  publicFields: true,
  publicIdentity: true,
  sourceFormat: true,
  operatorAddress: true,
}).openapi("BatchAgent");

const batch = {
  organizationId: TokenIdSchema.optional(),
  fleetId: TokenIdSchema.optional().openapi({
    deprecated: true,
    description: "Former name of `organizationId`.",
  }),
  agents: z.array(BatchAgentSchema).min(1).max(MAX_BATCH),
  ownerAddress: AddressSchema.openapi({
    description: "The organization's admin, who owns all agents.",
  }),
  leaveOutTakenNames: z.boolean().optional().openapi({ default: false }),
};

/** The body of `POST /v1/typed-data/org-batch`. */
export const PrepareBatchBody = z.strictObject(batch);

const EntrySchema = z.strictObject({
  ...typedMessageSchema([
    { name: "name", type: "string" },
    { name: "operator", type: "address" },
    { name: "soulHash", type: "bytes32" },
    { name: "soulMerkleRoot", type: "bytes32" },
    { name: "contentHash", type: "bytes32" },
  ]).shape,
  agentType: z.int().min(0).max(4),
});

const MessageSchema = z
  .strictObject({
    owner: AddressSchema,
    organizationId: UintSchema,
    leaveOutTakenNames: z.boolean(),
    entries: z.array(EntrySchema).min(1).max(MAX_BATCH),
    nonce: UintSchema,
    deadline: UintSchema,
  })
  .openapi("RegistrationBatchMessage") as unknown as z.ZodType<BatchMessage>;

const registerBatch = createRoute({
  method: "post",
  path: "/org/{organizationId}/batch-register",
  operationId: "registerBatch",
  tags: ["Organizations"],
  summary: "Register and seal up to 50 agents of an organization",
  description:
    "One signature of the organization's admin, who owns the agents, and one transaction: all of them or none, or with `leaveOutTakenNames` all whose names are free. An entry that is refused is named by `details.index`. Send an `Idempotency-Key`, so that the answer, which holds the API keys, can be read again. `svc*` metadata is not written; `POST /v1/registration-file` and the passport writer's `sync` add it later. Counts as its number of agents.",
  request: {
    params: OrganizationParams,
    headers: IdempotencyHeaders,
    body: jsonBody(
      z
        .strictObject({
          ...batch,
          message: MessageSchema,
          signature: SignatureSchema,
          signer: AddressSchema,
        })
        .openapi("BatchRegistration"),
    ),
  },
  responses: {
    201: {
      description: "Registered, and visible to reads from block `X-Svc-Block` on.",
      content: {
        "application/json": {
          schema: z
            .object({
              ...ORGANIZATION_ID,
              registered: z.int().min(0),
              results: z.array(
                z.object({
                  agentName: z.string(),
                  ...AgentIdsAnswer,
                  status: z.literal("SEALED"),
                  apiKey: z.string().openapi({
                    description: "Shown once, and again only to the same Idempotency-Key.",
                  }),
                }),
              ),
              leftOut: z.array(z.object({ agentName: z.string(), takenBy: IdAnswer })),
              batchTxHash: Hex32Schema,
            })
            .openapi("RegisteredBatch"),
        },
      },
    },
    ...errorResponses(
      ...OWNER_OPERATION_ERRORS,
      "FORBIDDEN",
      "INVALID_NAME",
      "NAME_TAKEN",
      "HASH_MISMATCH",
      "INVALID_MERKLE_DATA",
      "IDEMPOTENCY_CONFLICT",
    ),
  },
});

/** Registering many agents at once. */
export function batchRoutes({ batches }: { readonly batches: Batches }) {
  return createRouter(rules).openapi(registerBatch, async (c) => {
    const { organizationId } = c.req.valid("param");
    const { message, signature, signer, ...body } = c.req.valid("json");
    const named = body.organizationId ?? body.fleetId ?? organizationId;
    if (organizationIn({ ...body, organizationId: named }) !== organizationId) {
      throw badRequest("organizationId", `The path says ${organizationId}`);
    }
    // The request itself was counted as one.
    await countAlso(c, body.agents.length - 1);
    const request = batchRequest(body, organizationId);
    const evidence = { message, signature, signer };
    const done = await batches.register(request, evidence, requesterOf(c));
    c.header(INDEXED_BLOCK_HEADER, done.indexedBlock.toString());
    return c.json(
      withFleetId(c, {
        organizationId: idNumber(organizationId),
        registered: done.results.length,
        results: done.results.map(({ agentName, tokenId, passportId, apiKey }) => ({
          agentName,
          ...agentIds({ tokenId, passportId }),
          status: "SEALED" as const,
          apiKey,
        })),
        leftOut: done.leftOut.map(({ agentName, takenBy }) => ({
          agentName,
          takenBy: idNumber(takenBy),
        })),
        batchTxHash: done.txHash,
      }),
      201,
    );
  });
}

/** The request of a validated body. */
export function batchRequest(
  {
    agents,
    ownerAddress,
    leaveOutTakenNames = false,
  }: {
    readonly agents: readonly z.output<typeof BatchAgentSchema>[];
    readonly ownerAddress: BatchRequest["owner"];
    readonly leaveOutTakenNames?: boolean | undefined;
  },
  organizationId: bigint,
): BatchRequest {
  return {
    organizationId,
    owner: ownerAddress,
    leaveOutTakenNames,
    agents: agents.map((agent) => toRegistrationInput({ ...agent, ownerAddress, organizationId })),
  };
}
