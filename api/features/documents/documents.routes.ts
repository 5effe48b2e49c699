import { createRoute, z } from "@hono/zod-openapi";
import type { Links } from "../../kernel/links.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { isUnchanged } from "../../platform/http/conditional.ts";
import { authorise } from "../../platform/http/guard.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  agentIds,
  idNumber,
  NameOrTokenIdParam,
  TokenIdParam,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { DocumentVersion, SoulDocument, SoulDocumentService } from "./documents.ts";
import { operations } from "./operation-rules.ts";
import {
  DocumentId,
  IssuedUploadSchema,
  SoulDocumentsSchema,
  UploadedSchema,
  UploadRequestSchema,
} from "./schemas.ts";

export interface SoulDocumentRouteDeps {
  readonly soulDocuments: SoulDocumentService;
  readonly links: Links;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

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

const requestRoute = createRoute({
  method: "post",
  path: "/soul-documents/{tokenId}/upload-url",
  operationId: "requestDocumentUpload",
  tags: ["Soul documents"],
  summary: "Get a URL to upload a new or changed document",
  description:
    "Requires a chronicle of category `document` with this `documentId` and `contentHash`, newer than the document's current version. A document that was declared at registration and never uploaded needs none. A new URL ends an unused one of the same document.",
  request: {
    params: z.object({ tokenId: TokenIdParam }),
    headers: IdempotencyHeaders,
    body: jsonBody(UploadRequestSchema),
  },
  responses: {
    200: {
      description: "The URL, for 24 hours and one upload.",
      content: { "application/json": { schema: IssuedUploadSchema } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "FORBIDDEN",
      "NOT_FOUND",
      "BURNED",
      "SUSPENDED",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

/** `/soul-documents`. */
export function soulDocumentRoutes(deps: SoulDocumentRouteDeps) {
  const { soulDocuments, links } = deps;

  const listRoute = createRoute({
    method: "get",
    path: "/soul-documents/{name}",
    operationId: "listSoulDocuments",
    tags: ["Soul documents"],
    summary: "An agent's documents with all their versions",
    request: {
      params: z.object({ name: NameOrTokenIdParam }),
      query: MinBlockQuery,
    },
    middleware: minBlock(deps.index, deps.indexerWaitMs),
    responses: {
      200: {
        description: "The documents by id.",
        content: { "application/json": { schema: SoulDocumentsSchema } },
      },
      304: { description: "The client's copy is still valid." },
      ...errorResponses("INVALID_REQUEST", "INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"),
    },
  });

  const stored = (version: DocumentVersion) => ({
    version: version.version,
    contentHash: version.contentHash,
    arweaveTxId: version.archiveId,
    arweaveUrl: version.archiveId === null ? null : links.storage(version.archiveId),
    uploadedAt: version.uploadedAt?.toISOString() ?? null,
  });

  const documentBody = (document: SoulDocument) => ({
    id: document.id,
    type: document.type,
    title: document.title,
    format: document.format,
    immutable: document.immutable,
    immutabilityBroken: document.immutabilityBroken,
    ...stored(document),
    previousVersions: document.previousVersions.map((version) => ({
      ...stored(version),
      breaksImmutability: version.breaksImmutability,
    })),
    merkleVerification: { ...document.merkleVerification },
  });

  return createRouter(operations)
    .openapi(uploadRoute, async (c) => {
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
    })
    .openapi(requestRoute, async (c) => {
      const { tokenId } = c.req.valid("param");
      const wish = c.req.valid("json");
      await authorise(c, tokenId);
      assertSameAgent(tokenId, wish.tokenId);
      const issued = await soulDocuments.requestUpload(wish, c.get("operationKey"));
      const { id, passportId, uploadUrl, expiresAt } = issued;
      return c.json(
        {
          documentId: id,
          ...agentIds({ tokenId, passportId }),
          uploadUrl,
          expiresAt: expiresAt.toISOString(),
        },
        200,
      );
    })
    .openapi(listRoute, async (c) => {
      const { at, value } = await soulDocuments.list(c.req.valid("param").name);
      const body = {
        agentName: value.agentName,
        ...agentIds(value),
        documents: value.documents.map(documentBody),
      };
      reflectsBlock(c, at);
      if (value.isValid) aboutValidSeal(c);
      return isUnchanged(c, body) ? c.body(null, 304) : c.json(body, 200);
    });
}
