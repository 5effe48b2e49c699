import { z } from "@hono/zod-openapi";
import {
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { DOCUMENT_FORMATS, DOCUMENT_ID, documentMediaType } from "./formats.ts";

/** A document's id. */
export const DocumentId = z
  .string()
  .regex(DOCUMENT_ID, "Use 1 to 128 letters, digits, dots, underscores and hyphens")
  .openapi({ type: "string", pattern: DOCUMENT_ID.source, example: "manifesto" });

const Type = z.string().min(1).max(64);
const Title = z.string().min(1).max(200);
const Format = z
  .string()
  .refine((format) => documentMediaType(format) !== null, {
    message: `Use one of ${DOCUMENT_FORMATS.join(", ")}`,
  })
  .openapi({ type: "string", enum: [...DOCUMENT_FORMATS] });

/** A soul document as a registration declares it. */
const DeclaredDocumentSchema = z
  .strictObject({
    id: DocumentId,
    type: Type,
    title: Title,
    format: Format,
    contentHash: Hex32Schema.openapi({ description: "SHA-256 of the content." }),
    immutable: z.boolean().default(false),
  })
  .openapi("DeclaredDocument");

/** Most documents that one registration declares. */
const MAX_DOCUMENTS = 50;

/** The documents of a registration. Each id once. */
export const DeclaredDocumentsSchema = z
  .array(DeclaredDocumentSchema)
  .max(MAX_DOCUMENTS)
  .superRefine((documents, context) => {
    const seen = new Set<string>();
    documents.forEach(({ id }, index) => {
      if (seen.has(id)) {
        context.addIssue({ code: "custom", path: [index, "id"], message: "Appears twice" });
      }
      seen.add(id);
    });
  });

/** The body of `POST /v1/soul-documents/{tokenId}/upload-url`. */
export const UploadRequestSchema = z
  .strictObject({
    tokenId: TokenIdSchema,
    documentId: DocumentId,
    contentHash: Hex32Schema.openapi({
      description: "SHA-256 of the content that will be uploaded.",
    }),
    title: Title.optional().openapi({
      description: "Required when the chronicle does not have it.",
    }),
    type: Type.optional(),
    format: Format.optional(),
    immutable: z.boolean().optional().openapi({
      description: "True: immutable. It cannot be taken back.",
    }),
  })
  .openapi("DocumentUploadRequest");

/** A permission to upload. */
export const IssuedUploadSchema = z
  .object({
    documentId: z.string(),
    ...AgentIdsAnswer,
    uploadUrl: z.string(),
    expiresAt: TimestampSchema,
  })
  .openapi("DocumentUploadUrl");

/** The answer to an upload. */
export const UploadedSchema = z
  .object({
    documentId: z.string(),
    tokenId: IdAnswer,
    version: z.int(),
    contentHash: Hex32Schema,
    hashVerified: z.literal(true),
    arweaveTxId: z.string(),
    arweaveUrl: z.string(),
    immutable: z.boolean(),
    uploadedAt: TimestampSchema,
  })
  .openapi("UploadedDocument");

const Stored = {
  version: z.int(),
  contentHash: Hex32Schema,
  arweaveTxId: z.string().nullable().openapi({ description: "Null before the upload." }),
  arweaveUrl: z.string().nullable(),
  uploadedAt: TimestampSchema.nullable(),
};

/** The answer of `GET /v1/soul-documents/{name}`. */
export const SoulDocumentsSchema = z
  .object({
    agentName: z.string(),
    ...AgentIdsAnswer,
    documents: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        title: z.string(),
        format: z.string(),
        immutable: z.boolean(),
        immutabilityBroken: z.boolean().openapi({
          description: "An immutable version was replaced. Stays true for ever.",
        }),
        ...Stored,
        previousVersions: z.array(z.object({ ...Stored, breaksImmutability: z.boolean() })),
        merkleVerification: z.object({
          leafIndex: z.int(),
          inMerkleTree: z.boolean(),
          note: z.string(),
        }),
      }),
    ),
  })
  .openapi("SoulDocuments");
