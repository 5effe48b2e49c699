import { createRoute, z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import { ApiError } from "../../kernel/errors.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { noStore } from "../../platform/http/headers.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { TimestampSchema } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { DidDocuments, DidResolution } from "./documents.ts";
import { operations } from "./operation-rules.ts";
import { DID_TYPES, didTypeOf, isResolutionType } from "./resolution.http.ts";
import { DidDocumentAnswer } from "./schemas.ts";

export const ReferenceParam = z.string().max(256).openapi({
  description: "The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`.",
  example: "aurora",
});

const Resolution = z
  .object({
    didDocument: DidDocumentAnswer,
    didResolutionMetadata: z.object({ contentType: z.string() }),
    didDocumentMetadata: z.object({
      created: TimestampSchema.optional(),
      deactivated: z.literal(true).optional(),
      versionId: z.string().optional(),
      nextVersionId: z.string().optional(),
    }),
  })
  .openapi("DidResolution");

export interface DidRouteDeps {
  readonly dids: DidDocuments;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/did/{name}`. */
export function didRoutes(deps: DidRouteDeps) {
  const { dids } = deps;

  const getDid = createRoute({
    method: "get",
    path: "/did/{name}",
    operationId: "getDidDocument",
    tags: ["DID"],
    summary: "The DID document of an agent",
    description:
      "A name or a DID of this chain; `agent-<id>` is a passport's own. `Accept: application/did-resolution` (or `application/did-resolution+json`) asks for the document with its metadata: `deactivated` after a burn, with status 410, and `versionId` of the archived record. Errors are resolution results then, too.",
    request: {
      params: z.object({ name: ReferenceParam }),
      query: z.object({
        versionId: z.string().max(64).optional().openapi({
          description:
            "An archived version of the present epoch, by its storage id; owner, operator and services are those of now.",
        }),
        ...MinBlockQuery.shape,
      }),
    },
    middleware: minBlock(deps.index, deps.indexerWaitMs),
    responses: {
      200: {
        description: "The document as last indexed. A burned agent's names no account.",
        content: {
          "application/json": { schema: DidDocumentAnswer },
          "application/did+ld+json": { schema: DidDocumentAnswer },
          "application/did+json": { schema: DidDocumentAnswer },
          "application/did": { schema: DidDocumentAnswer },
          "application/did-resolution": { schema: Resolution },
          "application/did-resolution+json": { schema: Resolution },
        },
      },
      410: {
        description: "The resolution result of a burned agent: `deactivated` is true.",
        content: { "application/did-resolution": { schema: Resolution } },
      },
      ...errorResponses(
        "INVALID_REQUEST",
        "INVALID_NAME",
        "NOT_FOUND",
        "NOT_ACCEPTABLE",
        "STORAGE_UNAVAILABLE",
        "REGISTRY_PENDING",
        "INDEX_BEHIND",
      ),
    },
  });

  return createRouter(operations).openapi(getDid, async (c) => {
    c.header("Vary", "Accept", { append: true });
    const type = didTypeOf(c);
    if (type === null) throw new ApiError("NOT_ACCEPTABLE", { details: { types: DID_TYPES } });
    const { versionId } = c.req.valid("query");
    const { at, value } = await dids.resolve(c.req.valid("param").name, versionId);
    reflectsBlock(c, at, "same");
    if (value.isValid) aboutValidSeal(c);
    if (type === "application/json") return c.json(value.document, 200);
    if (!isResolutionType(type)) return asType(c, value.document, type, 200);
    if (value.metadata.deactivated !== true) return asType(c, resolutionBody(value), type, 200);
    noStore(c);
    return asType(c, resolutionBody(value), type, 410);
  });
}

/** JSON under another media type. */
function asType<Body, Status extends 200 | 410>(
  c: Context,
  body: Body,
  type: string,
  status: Status,
): Response & TypedResponse<Body, Status, "body"> {
  const answer = c.body(JSON.stringify(body), status, { "Content-Type": type });
  return answer as unknown as Response & TypedResponse<Body, Status, "body">;
}

function resolutionBody({ document, metadata }: DidResolution): z.input<typeof Resolution> {
  const { created, ...others } = metadata;
  return {
    didDocument: document,
    didResolutionMetadata: { contentType: "application/did+ld+json" },
    didDocumentMetadata: {
      ...(created === undefined ? {} : { created: created.toISOString() }),
      ...others,
    },
  };
}
