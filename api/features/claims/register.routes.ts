import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { announceSunset, requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  idNumber,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import { LEFT_METADATA, UnsignedTransactionSchema } from "../passports/index.ts";
import type { RegistrationContext, RegistrationService } from "../registration/index.ts";
import {
  AgentWalletSchema,
  agentWalletBody,
  SignedRegistrationSchema,
  toRegistrationInput,
} from "../registration/index.ts";
import type { AgentRegistrationService } from "./agent-registration.ts";
import { challengeStep, registerStep } from "./register-steps.routes.ts";
import {
  AgentRegisteredSchema,
  ChallengeAnswerSchema,
  ChallengeStepSchema,
  RegisterStepSchema,
} from "./schemas.ts";

const RegisteredSchema = z
  .object({
    ...AgentIdsAnswer,
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
    updatedAgentUriUrl: z.string().openapi({
      description:
        "The registration file that names the agent's ids; of a passport that was bound, the one that its owner signed.",
    }),
    needsAgentUriUpdate: z.boolean().openapi({
      description:
        "True when the passport does not point at the file of `updatedAgentUriUrl`, and its owner should send `agentUriTransaction`: another registration came between, or the approval on a bound passport was taken back.",
    }),
    agentUriTransaction: UnsignedTransactionSchema.nullable().openapi({
      description: "Points the passport at that file; null when it points there.",
    }),
    ...LEFT_METADATA,
    agentWallet: AgentWalletSchema.nullable().openapi({
      description:
        "How the owner sets the wallet that the agent is paid at; null for a passport that was bound, which keeps its own.",
    }),
  })
  .openapi("RegisteredAgent");

/** `step` tells callers apart: an agent sends one; an owner sends none, and signs. */
const RegisterBodySchema = z.discriminatedUnion("step", [
  z
    .strictObject({
      ...SignedRegistrationSchema.shape,
      step: z.undefined().optional().openapi({ type: "null", description: "Absent." }),
    })
    .openapi("OwnerRegistration"),
  ChallengeStepSchema,
  RegisterStepSchema,
]);

/** Registration, by the owner's wallet or by the agent itself. */
export const registerAgent = endpoint({
  operationId: "registerAgent",
  rules: { ...ownerSigned, typedData: "register", rate: "register", largeIntegers: "text" },
  method: "post",
  path: "/register",
  tag: "Registration",
  summary: "Register a sealed agent by its owner's signature, or begin as the agent itself",
  description:
    "One transaction registers a new ERC-8004 passport, mints the soulbound certificate and seals the soul. The private text never leaves its owner: only hashes are sent. Send an `Idempotency-Key`, so that the answer, which holds the API key, can be read again after a lost connection. An agent registers itself in two steps, without credentials: with `step` `challenge` it is asked for a hash and the name is kept for 10 minutes; with `step` `register` it answers, and its owner claims it within 24 hours.",
  body: RegisterBodySchema,
  status: 201,
  done: "Registered, and visible to reads from block `X-Svc-Block` on.",
  answer: z.union([RegisteredSchema, AgentRegisteredSchema]),
  otherAnswers: {
    200: {
      description: "The challenge of an agent's first step.",
      content: { "application/json": { schema: ChallengeAnswerSchema } },
    },
  },
  errors: [
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
  ],
  async run(
    { body: request },
    {
      registration,
      agentRegistrations,
      registrationContext,
    }: {
      readonly registration: RegistrationService;
      readonly agentRegistrations: AgentRegistrationService;
      readonly registrationContext: RegistrationContext;
    },
    c,
  ) {
    const steps = { agentRegistrations, chainId: registrationContext.chainId };
    if (request.step === "challenge") return c.json(await challengeStep(c, request, steps), 200);
    if (request.step === "register") return registerStep(c, request, steps);
    const { message, signature, signer, adminSignature = null, step: _owner, ...body } = request;
    const registered = await registration.register(
      toRegistrationInput(body),
      { message, signature, signer, adminConsent: adminSignature },
      requesterOf(c),
    );
    const { tokenId, erc8004AgentId, indexedBlock, ...answer } = registered;
    c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
    if (body.fleetId !== undefined) announceSunset({ set: (name, value) => c.header(name, value) });
    return {
      ...answer,
      tokenId: idNumber(tokenId),
      erc8004AgentId: idNumber(erc8004AgentId),
      agentWallet: agentWalletBody(registrationContext, answer.agentWallet),
      documentUploadUrls: registered.documentUploadUrls.map((upload) => ({
        ...upload,
        expiresAt: upload.expiresAt.toISOString(),
      })),
    };
  },
});
