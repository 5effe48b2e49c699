import { createRoute, z } from "@hono/zod-openapi";
import { STORAGE_ID } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { isHeld } from "../../platform/http/conditional.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { operations } from "./operation-rules.ts";

/** The part of permanent storage that this route reads. */
export interface ArchiveReads {
  read(id: string): Promise<{ data: Uint8Array; contentType: string } | null>;
  readItem(id: string): Promise<Uint8Array | null>;
}

interface Announced {
  readonly type: string;
  readonly disposition: "inline" | "attachment";
}

/**
 * The Content-Type of each type that a browser may display, because none of it runs under the
 * headers below.
 */
const shown = (type: string): Announced => ({ type, disposition: "inline" });
/**
 * Documents are for callers that request them, and must not look like a page of this origin. Text
 * is stored as UTF-8.
 */
const text = (type: string): Announced => ({
  type: `${type}; charset=utf-8`,
  disposition: "attachment",
});

/**
 * Every content type that is sent. The stored type is never sent itself, because the uploader chose
 * it.
 */
const ANNOUNCED: ReadonlyMap<string, Announced> = new Map([
  ["application/json", shown("application/json")],
  ["image/avif", shown("image/avif")],
  ["image/gif", shown("image/gif")],
  ["image/jpeg", shown("image/jpeg")],
  ["image/png", shown("image/png")],
  ["image/svg+xml", shown("image/svg+xml")],
  ["image/webp", shown("image/webp")],
  ["application/yaml", text("application/yaml")],
  ["text/markdown", text("text/markdown")],
  ["text/plain", text("text/plain")],
]);
const UNKNOWN: Announced = { type: "application/octet-stream", disposition: "attachment" };

const IdParams = z.object({ id: z.string().regex(STORAGE_ID, "Not an item id") });

const binary = { schema: z.any().openapi({ type: "string", format: "binary" }) };

const getContent = createRoute({
  method: "get",
  path: "/ar/{id}",
  operationId: "getArchivedContent",
  tags: ["Permanent storage"],
  summary: "The content of a stored item, in the type it was stored with",
  request: { params: IdParams },
  responses: {
    200: { description: "The content.", content: { "*/*": binary } },
    304: { description: "The cached copy is valid, because an item never changes." },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "STORAGE_UNAVAILABLE"),
  },
});

const getItem = createRoute({
  method: "get",
  path: "/ar/{id}/item",
  operationId: "getArchivedItem",
  tags: ["Permanent storage"],
  summary: "The signed ANS-104 item itself",
  description:
    "For checking without trust: its signature covers the content, its id is the SHA-256 of the signature.",
  request: { params: IdParams },
  responses: {
    200: { description: "The item.", content: { "application/octet-stream": binary } },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "STORAGE_UNAVAILABLE"),
  },
});

/**
 * Items are public, and any agent's holder can write them: nothing served here may act as a page of
 * this origin.
 */
const INERT = {
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "X-Content-Type-Options": "nosniff",
};

export const archiveRoutes = ({ archive }: { archive: ArchiveReads }) =>
  createRouter(operations)
    .openapi(getContent, async (c) => {
      const { id } = c.req.valid("param");
      const etag = `"${id}"`;
      // "*" accepts any type, and matches also when the item has none.
      if (c.req.header("if-none-match")?.trim() !== "*" && isHeld(c, etag))
        return c.body(null, 304, { ETag: etag, ...INERT });

      const content = await archive.read(id);
      if (content === null) throw notStored(id);
      const { type, disposition } = ANNOUNCED.get(mediaType(content.contentType)) ?? UNKNOWN;
      return c.body(new Uint8Array(content.data), 200, {
        ...INERT,
        ETag: etag,
        "Content-Type": type,
        "Content-Disposition": disposition,
      });
    })
    .openapi(getItem, async (c) => {
      const { id } = c.req.valid("param");
      const item = await archive.readItem(id);
      if (item === null) throw notStored(id);
      return c.body(new Uint8Array(item), 200, {
        ...INERT,
        "Content-Type": "application/octet-stream",
        "Content-Disposition": "attachment",
      });
    });

/** A media type without its parameters. */
function mediaType(contentType: string): string {
  return contentType.replace(/;.*$/s, "").trim().toLowerCase();
}

function notStored(id: string): ApiError {
  return new ApiError("NOT_FOUND", { message: `Nothing is stored under ${id}.` });
}
