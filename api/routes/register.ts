import { createRoute, z } from "@hono/zod-openapi";
import { IdempotencyHeaders } from "../http/idempotency.ts";
import { INDEXED_BLOCK_HEADER } from "../http/indexed-block.ts";
import { SignedRegistrationSchema, toRegistrationRequest } from "../http/registration-schemas.ts";
import { createRouter, errorResponses, jsonBody } from "../http/router.ts";
import { Hex32Schema, IdAnswer, idNumber } from "../http/schemas.ts";
import type { RegistrationService } from "../services/registration.ts";

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
      z.object({ id: z.string(), uploadUrl: z.string(), expiresAt: z.string() }),
    ),
    updatedAgentUriUrl: z
      .string()
      .openapi({ description: "The registration file that names the agent's ids." }),
    needsAgentUriUpdate: z.boolean().openapi({
      description:
        "True when another registration came between: the passport then points at the file without ids, and its owner should set the URI of `updatedAgentUriUrl`.",
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
    const { message, signature, signer, ...body } = c.req.valid("json");
    const registered = await registration.register(
      toRegistrationRequest(body),
      { message, signature, signer },
      c.get("operationKey"),
    );
    const { tokenId, erc8004AgentId, indexedBlock, blockNumber: _, ...answer } = registered;
    c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
    return c.json(
      {
        ...answer,
        tokenId: idNumber(tokenId),
        erc8004AgentId: idNumber(erc8004AgentId),
        documentUploadUrls: [],
      },
      201,
    );
  });
