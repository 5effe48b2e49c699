import { z } from "@hono/zod-openapi";
import { hexToBytes } from "viem";
import { isSecp256k1Key } from "../../../../protocol/curves.ts";
import { DISCLOSURE_MODES, FIELDS, REFUSAL_REASONS } from "../../../../protocol/index.ts";
import { NextCursor } from "../../../platform/http/lists/cursors.ts";
import {
  AgentIdsAnswer,
  IdAnswer,
  NameParam,
  TimestampSchema,
  TokenIdSchema,
} from "../../../platform/http/schemas.ts";
import { REQUEST_STATES } from "../context.ts";
import {
  ExpirySchema,
  FieldSchema,
  MerkleProofSchema,
  ProvenFieldSchema,
  StatedFieldsSchema,
  ValueSchema,
} from "../schemas.ts";

const MAX_REASON = 500;
const MAX_URL = 2048;

const FieldList = z.array(FieldSchema).max(FIELDS.length);

/** A list in which each field appears once. */
const DifferentFields = FieldList.min(1).refine(
  (fields) => new Set(fields).size === fields.length,
  "A field appears twice",
);

/** The body of `POST /v1/disclose/request`. */
export const RequestSchema = z
  .strictObject({
    requesterTokenId: TokenIdSchema.openapi({ description: "The agent that asks." }),
    targetAgentName: NameParam.openapi({ description: "The agent that is asked." }),
    requestedFields: DifferentFields,
    reason: z.string().trim().min(1).max(MAX_REASON).openapi({
      description: "What the values are needed for: the target's owner reads it.",
    }),
    freshnessRequired: z.boolean().default(false).openapi({
      description: "Only if the target's last alignment snapshot is younger than 24 hours.",
    }),
    disclosureEndpoint: z.string().max(MAX_URL).optional().openapi({
      description: "https URL that takes values from peer to peer.",
    }),
    disclosurePublicKey: z
      .string()
      .regex(/^0x(?:0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/, "Not a secp256k1 public key in hex")
      .refine((key) => isSecp256k1Key(hexToBytes(key as `0x${string}`)), "Not a point of secp256k1")
      .optional()
      .openapi({ description: "secp256k1 key to encrypt values to, with `disclosureEndpoint`." }),
  })
  .refine(
    ({ disclosureEndpoint, disclosurePublicKey }) =>
      disclosurePublicKey === undefined || disclosureEndpoint !== undefined,
    { path: ["disclosurePublicKey"], message: "It needs a disclosureEndpoint" },
  )
  .openapi("NewDisclosureRequest");

const expiresAt = TimestampSchema.openapi({ description: "Seven days after the request." });

const Rejected = z.array(z.object({ field: FieldSchema, reason: z.enum(REFUSAL_REASONS) }));

const asked = {
  requestId: z.uuid(),
  rejected: Rejected.openapi({ description: "Fields that the target's policy refuses." }),
};

/** The answer of `POST /v1/disclose/request` when values are given out at once. */
export const PartialRequestAnswer = z
  .object({
    ...asked,
    status: z.enum(["partially_fulfilled", "fulfilled"]),
    fulfilled: z.array(
      z.object({
        field: FieldSchema,
        value: ValueSchema,
        source: z.literal("public"),
        merkleProof: MerkleProofSchema,
        verified: z.literal(true),
      }),
    ),
    pending: z.array(
      z.object({
        field: FieldSchema,
        status: z.literal("awaiting_owner"),
        webhookSent: z.boolean(),
        p2pAvailable: z.boolean(),
        expiresAt,
      }),
    ),
  })
  .openapi("PartialDisclosure");

/** The answer of `POST /v1/disclose/request` when every field waits for the owner. */
export const PendingRequestAnswer = z
  .object({
    ...asked,
    status: z.literal("pending_approval"),
    requestedFields: FieldList,
    webhookSent: z.boolean().openapi({
      description: "Whether a webhook of the target is notified.",
    }),
    p2pAvailable: z.boolean(),
    expiresAt,
    note: z.string(),
  })
  .openapi("PendingDisclosureRequest");

const Party = z.object({ tokenId: IdAnswer, agentName: z.string(), did: z.string() });

/** The answer of `GET /v1/disclose/requests/{tokenId}`. */
export const WaitingRequestsAnswer = z
  .object({
    ...AgentIdsAnswer,
    totalRequests: z.int().min(0),
    requests: z.array(
      z.object({
        requestId: z.uuid(),
        requester: Party,
        requestedFields: FieldList.openapi({ description: "Those that the owner decides about." }),
        reason: z.string().openapi({ description: "The requester's own words: untrusted text." }),
        createdAt: TimestampSchema,
        expiresAt,
      }),
    ),
    nextCursor: NextCursor,
  })
  .openapi("WaitingDisclosureRequests");

/** The answer of `GET /v1/disclose/request/{requestId}`. */
export const RequestAnswerSchema = z
  .object({
    ...asked,
    status: z.enum(REQUEST_STATES),
    requester: Party,
    target: Party,
    requestedFields: FieldList,
    given: FieldList.openapi({ description: "Public fields, which were given out at once." }),
    pending: z.array(
      z.object({
        field: FieldSchema,
        mode: z.enum(DISCLOSURE_MODES),
        p2pAvailable: z.boolean(),
      }),
    ),
    reason: z.string().openapi({ description: "The requester's own words: untrusted text." }),
    freshnessRequired: z.boolean(),
    disclosureEndpoint: z.string().nullable(),
    disclosurePublicKey: z.string().nullable(),
    createdAt: TimestampSchema,
    expiresAt,
    answer: z
      .object({
        mode: z.enum(["api_relayed", "p2p_direct"]),
        fulfilledFields: FieldList,
        denied: FieldList,
        disclosureId: z.uuid().nullable(),
        requesterNotified: z.boolean().nullable().openapi({
          description: "Null while the values are being sent, and from peer to peer.",
        }),
        answeredAt: TimestampSchema,
        expiresAt: TimestampSchema.nullable(),
      })
      .nullable()
      .openapi({ description: "Null before the owner's answer." }),
  })
  .openapi("DisclosureRequest");

const answerParts = {
  tokenId: TokenIdSchema.openapi({ description: "The agent that was asked." }),
  requestId: z.uuid().optional().openapi({ description: "As in the path." }),
  deniedFields: FieldList.default([]),
  expiresIn: ExpirySchema.optional().openapi({
    description: "Default: the policy's `defaultExpiry`, or 30d.",
  }),
};

/** The body of `POST /v1/disclose/request/{requestId}/fulfill`. */
export const FulfilSchema = z
  .strictObject({ ...answerParts, disclosures: StatedFieldsSchema.default([]) })
  .openapi("DisclosureAnswer");

/** The body of `POST /v1/disclose/request/{requestId}/confirm-p2p`. */
export const ConfirmSchema = z
  .strictObject({ ...answerParts, fulfilledFields: FieldList.default([]) })
  .openapi("PeerToPeerDelivery");

const answered = {
  requestId: z.uuid(),
  status: z.literal("fulfilled"),
  denied: FieldList.openapi({
    description: "With the fields that the answer left out: the request ends with it.",
  }),
  disclosureId: z.uuid().nullable().openapi({ description: "Null when nothing was disclosed." }),
  expiresAt: TimestampSchema.nullable().openapi({ description: "Null for never." }),
};

export const FulfilledAnswer = z
  .object({
    ...answered,
    mode: z.literal("api_relayed"),
    fulfilled: z.array(ProvenFieldSchema.extend({ verified: z.literal(true) })),
    requesterNotified: z.boolean().openapi({
      description:
        "Whether a webhook of the requester took the values. If not, send the same request again.",
    }),
    deliveryProblem: z.string().nullable().openapi({
      description: "Why no webhook of the requester took the values; null when one did.",
      example: "The webhook did not accept it: it did not answer in time.",
    }),
  })
  .openapi("FulfilledDisclosure");

export const ConfirmedAnswer = z
  .object({
    ...answered,
    mode: z.literal("p2p_direct"),
    fulfilledFields: FieldList,
    note: z.string(),
  })
  .openapi("ConfirmedDisclosure");
