import { z } from "@hono/zod-openapi";
import { badRequest } from "../../../kernel/errors.ts";
import { OWNER_OPERATION_ERRORS, typedMessageSchema } from "../../../operations/schemas.ts";
import { endpoint } from "../../../platform/endpoint.ts";
import { countAlso, requesterOf } from "../../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../../platform/http/indexed-block.ts";
import { ownerSigned } from "../../../platform/http/operations.ts";
import {
  AddressSchema,
  AgentIdsAnswer,
  agentIds,
  Hex32Schema,
  IdAnswer,
  idNumber,
  SignatureSchema,
} from "../../../platform/http/schemas.ts";
import { RegistrationSchema, toRegistrationInput, UintSchema } from "../../registration/index.ts";
import { organizationIn, withFleetId } from "../answers.http.ts";
import type { BuiltOrganizations } from "../build.ts";
import { ORGANIZATION_ID, ofOrganization } from "../schemas.ts";
import { named } from "../signed.schemas.ts";
import { type BatchMessage, type BatchRequest, MAX_BATCH } from "./batch.ts";

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
  ...named,
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

const RegisteredBatch = z
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
  .openapi("RegisteredBatch");

export const registerBatch = endpoint({
  ...ofOrganization,
  operationId: "registerBatch",
  rules: {
    ...ownerSigned,
    rate: "register",
    typedData: "org-batch",
    legacyPaths: ["/fleet/{organizationId}/batch-register"],
  },
  method: "post",
  path: "/org/{organizationId}/batch-register",
  summary: "Register and seal up to 50 agents of an organization",
  description:
    "One signature of the organization's admin, who owns the agents, and one transaction: all of them or none, or with `leaveOutTakenNames` all whose names are free. An entry that is refused is named by `details.index`. Send an `Idempotency-Key`, so that the answer, which holds the API keys, can be read again. `svc*` metadata is not written; `POST /v1/registration-file` and the passport writer's `sync` add it later. Counts as its number of agents.",
  body: z
    .strictObject({
      ...batch,
      message: MessageSchema,
      signature: SignatureSchema,
      signer: AddressSchema,
    })
    .openapi("BatchRegistration"),
  status: 201,
  done: "Registered, and visible to reads from block `X-Svc-Block` on.",
  answer: RegisteredBatch,
  errors: [
    ...OWNER_OPERATION_ERRORS,
    "FORBIDDEN",
    "INVALID_NAME",
    "NAME_TAKEN",
    "HASH_MISMATCH",
    "INVALID_MERKLE_DATA",
    "IDEMPOTENCY_CONFLICT",
  ],
  async run({ organizationId, body }, { batches }: Pick<BuiltOrganizations, "batches">, c) {
    const { message, signature, signer, ...sent } = body;
    const id = sent.organizationId ?? sent.fleetId ?? organizationId;
    if (organizationIn({ ...sent, organizationId: id }) !== organizationId) {
      throw badRequest("organizationId", `The path says ${organizationId}`);
    }
    // The request itself was counted as one.
    await countAlso(c, sent.agents.length - 1);
    const request = batchRequest(sent, organizationId);
    const evidence = { message, signature, signer };
    const done = await batches.register(request, evidence, requesterOf(c));
    c.header(INDEXED_BLOCK_HEADER, done.indexedBlock.toString());
    return withFleetId(c, {
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
    });
  },
});

/** The request of a validated body. */
export function batchRequest(
  { agents, ownerAddress, leaveOutTakenNames = false }: z.output<typeof PrepareBatchBody>,
  organizationId: bigint,
): BatchRequest {
  return {
    organizationId,
    owner: ownerAddress,
    leaveOutTakenNames,
    agents: agents.map((agent) => toRegistrationInput({ ...agent, ownerAddress, organizationId })),
  };
}
