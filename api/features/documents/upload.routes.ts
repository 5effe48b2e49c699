import { createRoute, z } from "@hono/zod-openapi";
import type { Links } from "../../kernel/links.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { idNumber } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { SoulDocumentService } from "./documents.ts";
import { operations } from "./operation-rules.ts";
import { DocumentId, UploadedSchema } from "./schemas.ts";

const uploadRoute = createRoute({
  method: "post",
  path: "/soul-documents/upload/{documentId}",
  operationId: "uploadSoulDocument",
  tags: ["Soul documents"],
  summary: "Upload a document under its single-use URL",
  description:
    "The body is the raw document, of at most 10 MiB. It is stored under the media type of the declared format; the sent Content-Type is ignored. Until it is recorded the token is not used up.",
  request: {
    params: z.object({ documentId: DocumentId }),
    query: z.object({ token: z.string().max(128) }),
    headers: IdempotencyHeaders,
    body: {
      required: true,
      content: {
        "application/octet-stream": {
          schema: z.any().openapi({ type: "string", format: "binary" }),
        },
      },
    },
  },
  responses: {
    200: {
      description: "Stored and recorded.",
      content: { "application/json": { schema: UploadedSchema } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "CODE_USED",
      "FORBIDDEN",
      "BURNED",
      "SUSPENDED",
      "GONE",
      "HASH_MISMATCH",
      "CHAIN_UNAVAILABLE",
      "STORAGE_UNAVAILABLE",
    ),
  },
});

export interface UploadRouteDeps {
  readonly soulDocuments: SoulDocumentService;
  readonly links: Links;
}

/** `/soul-documents/upload/{documentId}`. */
export const uploadRoutes = ({ soulDocuments, links }: UploadRouteDeps) =>
  createRouter(operations).openapi(uploadRoute, async (c) => {
    const { documentId } = c.req.valid("param");
    const { token } = c.req.valid("query");
    const content = new Uint8Array(await c.req.arrayBuffer());
    const { tokenId, document } = await soulDocuments.upload(documentId, token, content);
    return c.json(
      {
        documentId: document.id,
        tokenId: idNumber(tokenId),
        version: document.version,
        contentHash: document.contentHash,
        hashVerified: true as const,
        arweaveTxId: document.archiveId,
        arweaveUrl: links.storage(document.archiveId),
        immutable: document.immutable,
        uploadedAt: document.uploadedAt.toISOString(),
      },
      200,
    );
  });
