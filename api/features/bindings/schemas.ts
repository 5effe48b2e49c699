import { z } from "@hono/zod-openapi";
import type { SetBindingMessage } from "../../../protocol/index.ts";
import { BINDING_REGISTRY_TYPES } from "../../../protocol/index.ts";
import { allOrNone, messageShape } from "../../operations/schemas.ts";
import { IdPart, listCursors, NextCursor } from "../../platform/http/lists/cursors.ts";
import { limitParam, PageNumber, pageParam } from "../../platform/http/lists/pages.ts";
import {
  Hex32Schema,
  IdAnswer,
  IdFromClaimAnswer,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import {
  BINDING_AUTHORITIES,
  BINDING_DIRECTIONS,
  MAX_CONTEXT_BYTES,
  TRUST_LEVELS,
} from "./pairs.ts";

const TrustLevelSchema = z.enum(TRUST_LEVELS).openapi({ example: "verified" });

const ContextSchema = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text, "utf8") <= MAX_CONTEXT_BYTES,
    `Longer than ${MAX_CONTEXT_BYTES} bytes`,
  )
  .openapi({
    description: `What for, in words: public, at most ${MAX_CONTEXT_BYTES} bytes of UTF-8.`,
    example: "Shares its bird counts.",
  });

const { message, signature, signer } = messageShape<SetBindingMessage>(
  "SetBinding",
  BINDING_REGISTRY_TYPES.SetBinding,
);
const evidence = {
  message: message.optional(),
  signature: signature.optional(),
  signer: signer.optional(),
};

/** What a body carries of an owner's signature: all of it or nothing. */
export type OwnerEvidence = Partial<z.output<z.ZodObject<typeof evidence>>>;

/** The body of `POST /v1/binding`. */
export const CreateBindingSchema = z
  .strictObject({
    tokenId: TokenIdSchema.openapi({ description: "The agent that trusts." }),
    partnerTokenId: TokenIdSchema.openapi({ description: "The agent that is trusted." }),
    trustLevel: TrustLevelSchema,
    context: ContextSchema,
    ...evidence,
  })
  .superRefine(allOrNone)
  .openapi("NewBinding");

/** The body of `PUT /v1/binding/{bindingId}`. */
export const UpdateBindingSchema = z
  .strictObject({
    tokenId: TokenIdSchema.openapi({ description: "The agent that trusts." }),
    trustLevel: TrustLevelSchema,
    context: ContextSchema.optional().openapi({ description: "Absent: it stays as it is." }),
    ...evidence,
  })
  .superRefine(allOrNone)
  .openapi("BindingUpdate");

/** The body of `POST /v1/typed-data/binding`. */
export const PrepareBindingSchema = z
  .strictObject({
    tokenId: TokenIdSchema,
    partnerTokenId: TokenIdSchema.optional(),
    bindingId: Hex32Schema.optional(),
    trustLevel: TrustLevelSchema,
    context: ContextSchema.optional(),
  })
  .superRefine(({ partnerTokenId, bindingId, context: text }, context) => {
    if ((partnerTokenId === undefined) === (bindingId === undefined)) {
      context.addIssue({ code: "custom", message: "Exactly one of partnerTokenId and bindingId" });
    }
    if (partnerTokenId !== undefined && text === undefined) {
      context.addIssue({ code: "custom", path: ["context"], message: "Needed for a new binding" });
    }
  })
  .openapi("Binding");

export const BindingIdParam = Hex32Schema.openapi({
  description: "keccak256 of the two token ids, each as 32 bytes.",
});

export const bindingCursors = listCursors(
  "bindings",
  z.strictObject({ createdAt: IdPart, fromTokenId: IdPart, toTokenId: IdPart }),
);

export const changeCursors = listCursors(
  "binding changes",
  z.strictObject({ version: z.int32().min(0), serviceVersion: z.int32().min(0) }),
);

/** The query of `GET /v1/binding/{bindingId}/history`. */
export const ChangeQuery = { page: pageParam, limit: limitParam(25), cursor: changeCursors.param };

/** The query of `GET /v1/binding/{name}`. */
export const BindingQuery = {
  trustLevel: z.enum(TRUST_LEVELS).optional(),
  direction: z.enum(BINDING_DIRECTIONS).default("both").openapi({
    description:
      "`outbound`: how far this agent trusts others; `inbound`: how far others trust it.",
  }),
  includeEnded: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true")
    .openapi({
      type: "string",
      enum: ["true", "false"],
      description: "Whether bindings of epochs that a reseal ended are listed too.",
    }),
  page: pageParam,
  limit: limitParam(25),
  cursor: bindingCursors.param,
};

const Authority = z.enum(BINDING_AUTHORITIES).openapi({
  description:
    "Who stands behind it. `OWNER`: the agent's owner, by signature. `SERVICE`: only this service, for a key or a session of the agent. Rely on `OWNER` alone.",
});

const stood = {
  authority: Authority,
  authoritySince: TimestampSchema.openapi({
    description: "Since when this authority stands behind it.",
  }),
};

const written = {
  bindingId: Hex32Schema,
  fromAgent: z.string(),
  toAgent: z.string(),
  fromTokenId: IdAnswer,
  toTokenId: IdAnswer,
  trustLevel: TrustLevelSchema,
  context: z.string(),
  ...stood,
  txHash: Hex32Schema,
};

/** The answer of `POST /v1/binding`. */
export const CreatedBindingSchema = z
  .object({ ...written, createdAt: TimestampSchema })
  .openapi("CreatedBinding");

/** The answer of `PUT /v1/binding/{bindingId}`. */
export const UpdatedBindingSchema = z
  .object({
    ...written,
    previousTrustLevel: TrustLevelSchema.nullable(),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .openapi("UpdatedBinding");

const UntrustedContext = z
  .string()
  .nullable()
  .openapi({ description: "Words of the account that set it: untrusted text." });

/** The answer of `GET /v1/binding/{name}`. */
export const BindingListSchema = z
  .object({
    agentName: z.string(),
    tokenId: IdFromClaimAnswer,
    erc8004AgentId: IdFromClaimAnswer,
    genesisStatus: z.enum(["SEALED", "PROVISIONAL", "BURNED"]),
    totalBindings: z.int().min(0).openapi({ description: "On all pages." }),
    page: PageNumber,
    limit: z.int().min(1),
    bindings: z.array(
      z.object({
        bindingId: Hex32Schema,
        partnerAgent: z.string(),
        partnerTokenId: IdAnswer,
        trustLevel: TrustLevelSchema,
        direction: z.enum(["inbound", "outbound"]),
        context: UntrustedContext,
        ...stood,
        live: z.boolean().openapi({
          description: "Whether both seals are valid, in the epochs in which it was made.",
        }),
        createdAt: TimestampSchema,
        updatedAt: TimestampSchema,
        txHash: Hex32Schema.openapi({ description: "Of its last change." }),
      }),
    ),
    nextCursor: NextCursor,
  })
  .openapi("BindingList");

/** The answer of `GET /v1/binding/{bindingId}/history`. */
export const BindingHistorySchema = z
  .object({
    bindingId: Hex32Schema,
    fromAgent: z.string(),
    toAgent: z.string(),
    totalChanges: z.int().min(0),
    page: PageNumber,
    limit: z.int().min(1),
    changes: z.array(
      z.object({
        previousTrustLevel: TrustLevelSchema.nullable(),
        trustLevel: TrustLevelSchema,
        authority: Authority,
        setBy: z.string().openapi({ description: "The owner, or the service's account." }),
        epoch: IdAnswer.openapi({ description: "Of the agent that trusts." }),
        partnerEpoch: IdAnswer.openapi({ description: "Of the agent that is trusted." }),
        context: UntrustedContext,
        changedAt: TimestampSchema,
        txHash: Hex32Schema,
      }),
    ),
    nextCursor: NextCursor,
  })
  .openapi("BindingHistory");
