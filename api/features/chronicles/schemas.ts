import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { CHRONICLE_CATEGORIES, MANDATORY_CHANGE_TYPES } from "../../../protocol/index.ts";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import { NextCursor } from "../../platform/http/lists/cursors.ts";
import { PageNumber } from "../../platform/http/lists/pages.ts";
import {
  AddressSchema,
  AmountSchema,
  Hex32Schema,
  IdAnswer,
  IdFromClaimAnswer,
  SignatureSchema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { METADATA_UPDATES, OwnerTransactionSchema } from "../passports/index.ts";
import { CHRONICLE_AUTHORITIES } from "./entries.ts";

/** Form of a request's id. */
export const ChronicleRequestId = z
  .string()
  .max(64)
  .openapi({ pattern: "^chr_[A-Za-z0-9_-]{22}$" });

const Category = z.enum([...CHRONICLE_CATEGORIES, ...MANDATORY_CHANGE_TYPES]).openapi({
  description:
    "`soul_revision` and `operator_change` stand for category `technical` and that change type.",
});

const Data = z.record(z.string().max(64), z.json()).openapi({
  type: "object",
  description:
    "Public, and archived for ever. `changeType` says what happened (the category, when absent). A `soul_revision` needs `newSoulHash`, `newSoulMerkleRoot`, `newSoulSalt` (kept encrypted, never published) and `merkleLeaves` (all twelve, or the first eleven for a soul without documents, as `POST /v1/tools/normalise` returns them); an `operator_change` needs `operator`.",
});

/** What is recorded. `POST /v1/typed-data/chronicle` takes exactly this. */
export const ChronicleSchema = z
  .strictObject({ tokenId: TokenIdSchema, category: Category, data: Data })
  .openapi("Chronicle");

/** The signed message, as `POST /v1/typed-data/chronicle` or the request returned it. */
const MessageSchema = z
  .strictObject({
    tokenId: z.union([AmountSchema, TokenIdSchema]).openapi({ type: "string" }),
    epoch: z.int().min(0).max(65_535),
    version: z.int().min(0).max(4_294_967_295),
    category: z.string().max(64),
    changeType: z.string().max(64),
    previousSoulHash: Hex32Schema,
    newSoulHash: Hex32Schema,
    newSoulMerkleRoot: Hex32Schema,
    dataHash: Hex32Schema,
    agentURI: z.string().max(1_024).openapi({
      description:
        "Of a `soul_revision`: the passport's next registration file, written where the passport writer is approved. Empty for any other chronicle.",
    }),
    nonce: AmountSchema,
    deadline: z
      .union([AmountSchema, z.int().min(0).transform(BigInt)])
      .openapi({ type: "string", pattern: "^(0|[1-9][0-9]*)$" }),
  })
  .openapi("RecordEvolutionMessage");

/** The wallet signature as one object. */
const ProofSchema = z
  .strictObject({ signature: SignatureSchema, message: MessageSchema, signer: AddressSchema })
  .openapi("ChronicleProofOfOwner", {
    description:
      "The owner's evidence as one object. It must be the same as `signature`, `message` and `signer` of the body.",
  });

/** The body of `POST /v1/chronicle`: with `signature`, `message` and `signer`, or with none of them. */
export const ChronicleBodySchema = z
  .strictObject({
    ...ChronicleSchema.shape,
    proof: ProofSchema.optional(),
    requestId: ChronicleRequestId.optional().openapi({
      description: "The request that this answers.",
    }),
    signature: SignatureSchema.optional(),
    message: MessageSchema.optional(),
    signer: AddressSchema.optional(),
  })
  .superRefine(({ signature, message, signer, proof }, context) => {
    const parts = { signature, message, signer };
    for (const [key, part] of Object.entries(proof ?? {})) {
      if (isDeepStrictEqual(part, parts[key as keyof typeof parts])) continue;
      context.addIssue({
        code: "custom",
        path: ["proof", key],
        message: `Not the ${key} beside proof`,
      });
    }
    const missing = Object.entries(parts).filter(([, part]) => part === undefined);
    if (missing.length === 0 || missing.length === Object.keys(parts).length) return;
    for (const [key] of missing) {
      context.addIssue({ code: "custom", path: [key], message: "Missing beside the others" });
    }
  })
  .openapi("ChronicleBody");

/** The body of `POST /v1/chronicle/request`. */
export const ChronicleRequestSchema = z
  .strictObject({ ...ChronicleSchema.shape, description: z.string().max(2000).optional() })
  .openapi("ChronicleRequest");

const Status = z.enum(["queued", "batched", "confirmed"]);

const Recorded = z.object({
  chronicleId: IdAnswer,
  tokenId: IdAnswer,
  category: z.string(),
  changeType: z.string(),
  arweaveTxId: z.string(),
  timestamp: TimestampSchema,
  queueId: z.string().openapi({ example: "12-3-1770000000000" }),
});

/** The answer of `POST /v1/chronicle`. */
export const RecordedSchema = Recorded.extend({
  status: Status,
  txHash: Hex32Schema.optional().openapi({ description: "Of what was recorded on chain at once." }),
  estimatedConfirmation: TimestampSchema.optional(),
  pendingMetadata: METADATA_UPDATES.pendingMetadata.optional().openapi({
    description:
      "After a `soul_revision`: metadata of the passport that does not follow the new soul yet.",
  }),
  approvalTransaction: METADATA_UPDATES.approvalTransaction.optional(),
  needsAgentUriUpdate: z.boolean().optional().openapi({
    description: "After a `soul_revision`: the passport points at a file about the soul before.",
  }),
  agentUriTransaction: OwnerTransactionSchema.nullable().optional().openapi({
    description:
      "The owner's transaction that points the passport at its new file; null when there is nothing to do, or the file now cannot be read.",
  }),
}).openapi("RecordedChronicle");

const Detail = z.object({
  data: z.record(z.string(), z.unknown()),
  authority: z.enum(CHRONICLE_AUTHORITIES),
  signature: z.string().nullable(),
  message: z.record(z.string(), z.unknown()).nullable(),
  signer: z.string().nullable(),
});

/** A record in a list. */
export const ChronicleListSchema = z
  .object({
    tokenId: IdFromClaimAnswer,
    erc8004AgentId: IdFromClaimAnswer,
    chronicles: z.array(
      Recorded.extend({
        newSoulHash: Hex32Schema.nullable(),
        arweaveUrl: z.string(),
        status: Status,
        batchId: IdAnswer.nullable(),
        txHash: Hex32Schema.nullable(),
        chronicleHash: Hex32Schema,
        contentHash: Hex32Schema,
        detail: Detail.optional(),
      }),
    ),
    pagination: z.object({
      page: PageNumber,
      limit: z.int(),
      total: z.int(),
      totalPages: z.int(),
    }),
    nextCursor: NextCursor,
  })
  .openapi("ChronicleList");

/** The answer of `GET /v1/chronicle/{queueId}/proof`. */
export const ChronicleProofSchema = Recorded.extend({
  status: Status,
  chronicleHash: Hex32Schema.openapi({ description: "The leaf." }),
  contentHash: Hex32Schema.openapi({ description: "SHA-256 of the archived record." }),
  chainId: z.int(),
  chronicleAnchor: z.string(),
  soulRegistry: z.string(),
  estimatedConfirmation: TimestampSchema.optional(),
  batchId: IdAnswer.nullable().optional(),
  merkleProof: z.array(Hex32Schema).optional(),
  merkleRoot: Hex32Schema.nullable().optional(),
  leavesArweaveTxId: z.string().nullable().optional().openapi({
    description: "The archived list of the whole batch.",
  }),
  txHash: Hex32Schema.optional(),
}).openapi("ChronicleProof");

/** The answer of `POST /v1/chronicle/request`. */
export const RequestedSchema = z
  .object({ requestId: ChronicleRequestId, signUrl: z.string(), expiresAt: TimestampSchema })
  .openapi("RequestedChronicle");

/** The answer of `GET /v1/chronicle/request`. */
export const OpenRequestSchema = z
  .object({
    requestId: ChronicleRequestId,
    tokenId: IdAnswer,
    agentName: z.string(),
    category: z.string(),
    changeType: z.string(),
    data: z.record(z.string(), z.unknown()),
    description: z.string().nullable(),
    createdAt: TimestampSchema,
    expiresAt: TimestampSchema,
    status: z.enum(["pending", "submitted"]),
    nonce: z.string(),
    eip712Data: TypedDataSchema.nullable().openapi({
      description: "What to sign; null once it was submitted.",
    }),
  })
  .openapi("OpenChronicleRequest");
