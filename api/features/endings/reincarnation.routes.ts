import { createRoute, z } from "@hono/zod-openapi";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  AddressSchema,
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  idNumber,
  SignatureSchema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import {
  NewNameSchema,
  RegistrationMessageSchema,
  RegistrationSchema,
  toRegistrationInput,
} from "../registration/index.ts";
import { operations } from "./operation-rules.ts";
import type { Reincarnations } from "./reincarnation.ts";

const {
  agentName: _given,
  erc8004AgentId: _new,
  parentTokenId: _own,
  ...common
} = RegistrationSchema.shape;
const { organizationId: _joins, fleetId: _former, ...fields } = common;

const next = {
  parentTokenId: TokenIdSchema.openapi({ description: "The soul that ended." }),
  newAgentName: NewNameSchema,
  ...fields,
};

/** The body of `POST /v1/typed-data/reincarnate`. */
export const PrepareReincarnationSchema = z.strictObject(next).openapi("Reincarnation");

/** The body of `POST /v1/reincarnate`. */
const ReincarnationSchema = z
  .strictObject({
    ...next,
    message: RegistrationMessageSchema,
    signature: SignatureSchema,
    signer: AddressSchema,
  })
  .openapi("SignedReincarnation");

const ReincarnatedSchema = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    did: z.string(),
    profileUrl: z.string(),
    parentTokenId: IdAnswer,
    parentErc8004AgentId: IdAnswer,
    parentName: z.string(),
    soulContinuity: z.boolean().openapi({
      description: "Whether the soul hash is the last one of the parent.",
    }),
    soulHashMatch: z.boolean().openapi({
      description: "Whether the soul hash is the first one of the parent.",
    }),
    genesisStatus: z.enum(["SEALED", "PROVISIONAL"]),
    soulHash: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    arweaveTxId: z.string(),
    mintTxHash: Hex32Schema,
    erc8004TxHash: Hex32Schema.openapi({
      description: "The same transaction: it registers the passport and seals the soul.",
    }),
    apiKey: z
      .string()
      .openapi({ description: "Shown once, and again only to the same Idempotency-Key." }),
    documentUploadUrls: z.array(
      z.object({ id: z.string(), uploadUrl: z.string(), expiresAt: TimestampSchema }),
    ),
  })
  .openapi("ReincarnatedAgent");

export const REINCARNATION_ERRORS = [
  ...(["INVALID_REQUEST", "INVALID_NAME", "FORBIDDEN", "NOT_OWNER", "NOT_FOUND"] as const),
  ...(["NAME_TAKEN", "HASH_MISMATCH", "INVALID_MERKLE_DATA", "CHAIN_UNAVAILABLE"] as const),
  ...(["STORAGE_UNAVAILABLE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const),
] as const;

const reincarnate = createRoute({
  method: "post",
  path: "/reincarnate",
  operationId: "reincarnateAgent",
  tags: ["Death and reincarnation"],
  summary: "Register the successor of a burned agent, by its last owner's signature",
  description:
    "A registration on a new passport, under a new name, that names the soul that ended as its parent. Send an `Idempotency-Key`, so that the answer, which holds the API key, can be read again after a lost connection.",
  request: { headers: IdempotencyHeaders, body: jsonBody(ReincarnationSchema) },
  responses: {
    201: {
      description: "Registered, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: ReincarnatedSchema } },
    },
    ...errorResponses(
      ...REINCARNATION_ERRORS,
      ...(["INVALID_SIGNATURE", "NONCE_EXPIRED", "NONCE_USED", "WALLET_NOT_DEPLOYED"] as const),
      ...(["IDEMPOTENCY_CONFLICT", "GAS_BUDGET_EXHAUSTED", "REGISTRY_PENDING"] as const),
    ),
  },
});

/** `/reincarnate`. */
export function reincarnationRoutes({
  reincarnations,
}: {
  readonly reincarnations: Reincarnations;
}) {
  const routes = createRouter(operations);

  routes.openapi(reincarnate, async (c) => {
    const { message, signature, signer, ...body } = c.req.valid("json");
    const made = await reincarnations.reincarnate(
      successorInput(body),
      { message, signature, signer },
      requesterOf(c),
    );
    const { registered, parent } = made;
    c.header(INDEXED_BLOCK_HEADER, registered.indexedBlock.toString());
    return c.json(
      {
        tokenId: idNumber(registered.tokenId),
        erc8004AgentId: idNumber(registered.erc8004AgentId),
        agentName: registered.agentName,
        did: registered.did,
        profileUrl: registered.profileUrl,
        parentTokenId: idNumber(parent.tokenId),
        parentErc8004AgentId: idNumber(parent.passportId),
        parentName: parent.name,
        soulContinuity: made.soulContinuity,
        soulHashMatch: made.soulHashMatch,
        genesisStatus: registered.genesisStatus,
        soulHash: registered.soulHash,
        soulMerkleRoot: registered.soulMerkleRoot,
        arweaveTxId: registered.arweaveTxId,
        mintTxHash: registered.mintTxHash,
        erc8004TxHash: registered.mintTxHash,
        apiKey: registered.apiKey,
        documentUploadUrls: registered.documentUploadUrls.map((upload) => ({
          ...upload,
          expiresAt: upload.expiresAt.toISOString(),
        })),
      },
      201,
    );
  });
  return routes;
}

/** A validated body as the registration service takes it. */
export function successorInput({
  newAgentName,
  ...body
}: z.output<typeof PrepareReincarnationSchema>) {
  return toRegistrationInput({ ...body, agentName: newAgentName });
}
