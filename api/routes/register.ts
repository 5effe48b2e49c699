import { createRoute, z } from "@hono/zod-openapi";
import { IdempotencyHeaders } from "../http/idempotency.ts";
import { INDEXED_BLOCK_HEADER } from "../http/indexed-block.ts";
import { SignedRegistrationSchema, toRegistrationInput } from "../http/registration-schemas.ts";
import { createRouter, errorResponses, jsonBody } from "../http/router.ts";
import { Hex32Schema, IdAnswer, idNumber, TimestampSchema } from "../http/schemas.ts";
import type { RegistrationService } from "../services/registration.ts";

/** A transaction for the passport's owner to sign. */
const UnsignedTransactionSchema = z
  .object({ chainId: z.int(), to: z.string(), data: z.string(), value: z.literal("0") })
  .openapi("UnsignedTransaction");

const PendingMetadataSchema = z
  .object({ key: z.string(), value: z.string(), transaction: UnsignedTransactionSchema })
  .openapi("PendingMetadata");

const RegisteredSchema = z
  .object({
    tokenId: IdAnswer,
    erc8004AgentId: IdAnswer,
    agentName: z.string(),
    did: z.string(),
    profileUrl: z.string(),
    erc8004Url: z.string(),
    soulHash: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    arweaveTxId: z.string(),
    genesisStatus: z.enum(["SEALED", "PROVISIONAL"]),
    apiKey: z
      .string()
      .openapi({ description: "Shown once, and again only to the same Idempotency-Key." }),
    mintTxHash: Hex32Schema,
    documentUploadUrls: z.array(
      z.object({ id: z.string(), uploadUrl: z.string(), expiresAt: TimestampSchema }),
    ),
    updatedAgentUriUrl: z
      .string()
      .openapi({ description: "The registration file that names the agent's ids." }),
    needsAgentUriUpdate: z.boolean().openapi({
      description:
        "True when another registration came between: the passport then does not point at the file that names its ids, and its owner should send `agentUriTransaction`.",
    }),
    agentUriTransaction: UnsignedTransactionSchema.nullable().openapi({
      description: "Points the passport at that file; null when it points there.",
    }),
    pendingMetadata: z.array(PendingMetadataSchema).readonly().openapi({
      description:
        "Metadata that could not be written, because the soul registry was not approved on the passport any more.",
    }),
  })
  .openapi("RegisteredAgent");

const registerAgent = createRoute({
  method: "post",
  path: "/register",
  operationId: "registerAgent",
  tags: ["Registration"],
  summary: "Register a sealed agent by its owner's signature",
  description:
    "One transaction registers a new ERC-8004 passport, mints the soulbound certificate and seals the soul. The private text never leaves its owner: only hashes are sent. Send an `Idempotency-Key`, so that the answer, which holds the API key, can be read again after a lost connection.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SignedRegistrationSchema) },
  responses: {
    201: {
      description: "Registered, and visible to reads from block `X-Svc-Block` on.",
      content: { "application/json": { schema: RegisteredSchema } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "INVALID_NAME",
      "INVALID_SIGNATURE",
      "FORBIDDEN",
      "NOT_OWNER",
      "APPROVAL_REQUIRED",
      "NOT_FOUND",
      "Erc8004AgentIdAlreadyBound",
      "NONCE_EXPIRED",
      "NONCE_USED",
      "NAME_TAKEN",
      "WALLET_NOT_DEPLOYED",
      "IDEMPOTENCY_CONFLICT",
      "HASH_MISMATCH",
      "INVALID_MERKLE_DATA",
      "CHAIN_UNAVAILABLE",
      "STORAGE_UNAVAILABLE",
      "GAS_BUDGET_EXHAUSTED",
      "REGISTRY_PENDING",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
    ),
  },
});

/** Registration by the owner's wallet. */
export const registerRoutes = ({ registration }: { registration: RegistrationService }) =>
  createRouter().openapi(registerAgent, async (c) => {
    const { message, signature, signer, adminSignature = null, ...body } = c.req.valid("json");
    const registered = await registration.register(
      toRegistrationInput(body),
      { message, signature, signer, adminConsent: adminSignature },
      c.get("operationKey"),
    );
    const { tokenId, erc8004AgentId, indexedBlock, blockNumber: _, ...answer } = registered;
    c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
    return c.json(
      {
        ...answer,
        tokenId: idNumber(tokenId),
        erc8004AgentId: idNumber(erc8004AgentId),
        documentUploadUrls: registered.documentUploadUrls.map((upload) => ({
          ...upload,
          expiresAt: upload.expiresAt.toISOString(),
        })),
      },
      201,
    );
  });
