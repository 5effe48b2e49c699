import { isKeepable } from "../platform/http/cache-rules.ts";
import { INDEX_LAG_HEADER, INDEXED_BLOCK_HEADER } from "../platform/http/indexed-block.ts";
import { POSITION_HEADER } from "../platform/http/read-position.ts";
import {
  type OpenApiDocument,
  type OpenApiHeader,
  type OpenApiResponse,
  operationsOf,
  type PlacedOperation,
} from "./openapi.ts";

const integer = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;

/** Every header of an answer that clients read. */
const HEADERS: Readonly<Record<string, OpenApiHeader>> = {
  "X-Request-Id": {
    description: "Id of the request: the caller's own, or a new one. Errors repeat it.",
    schema: text,
  },
  "X-RateLimit-Limit": {
    description: "Requests in the window that has the fewest left.",
    schema: integer,
  },
  "X-RateLimit-Remaining": {
    description: "Requests that are left in this window.",
    schema: integer,
  },
  "X-RateLimit-Reset": {
    description: "When this window ends, in Unix seconds.",
    schema: integer,
  },
  "Retry-After": {
    description: "Seconds until the same request may succeed. Absent where waiting does not help.",
    schema: integer,
  },
  "Cache-Control": {
    description: "How long a cache may use the answer. `no-store` while the index is behind.",
    schema: text,
  },
  ETag: {
    description: "Names this version of the answer. Send it as `If-None-Match`.",
    schema: text,
  },
  "Idempotency-Replayed": {
    description: "`true` when the answer repeats that of an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
  },
  [INDEXED_BLOCK_HEADER]: {
    description: "Last block whose events the answer reflects. Absent where nothing is indexed.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  [INDEX_LAG_HEADER]: {
    description:
      "How many blocks the index is behind, or `unknown`. Only while it is further behind than the service allows.",
    schema: text,
  },
  [POSITION_HEADER]: {
    description:
      "Names this write. Send it with later reads: they then show this write, also where a replica of the database answers. Positions compare as text, and the greatest is the last. Absent where the service has no replica.",
    schema: { type: "string", pattern: "^w[0-9a-f]{16}$" },
  },
  Deprecation: {
    description: "When this path became deprecated, as `@` and Unix seconds (RFC 9745).",
    schema: text,
  },
  Sunset: {
    description: "When this path stops working, as an HTTP date (RFC 8594).",
    schema: text,
  },
};

/** Declares the headers of every answer, which follow from the operation's rules. */
export function declareHeaders(document: OpenApiDocument): void {
  document.components ??= {};
  document.components.headers = { ...HEADERS };
  for (const placed of operationsOf(document)) {
    for (const [status, response] of Object.entries(placed.operation.responses)) {
      declare(response, headersOf(placed, Number(status)));
    }
  }
}

function declare(response: OpenApiResponse, names: readonly string[]): void {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  response.headers = Object.fromEntries(references);
}

function headersOf({ method, operation }: PlacedOperation, status: number): string[] {
  const names = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const isSuccess = status < 400;
  if (isSuccess) names.push("Cache-Control", INDEXED_BLOCK_HEADER, INDEX_LAG_HEADER);
  const isTagged = method === "get" && isKeepable(operation["x-svc-cache"]);
  if (isSuccess && isTagged) names.push("ETag");
  if (isSuccess && operation["x-svc-idempotent"] === true) names.push("Idempotency-Replayed");
  if (isSuccess && method !== "get") names.push(POSITION_HEADER);
  if (MAY_WAIT.has(status)) names.push("Retry-After");
  if (operation.deprecated === true) names.push("Deprecation", "Sunset");
  return names;
}

/** A conflict is one with a request that is still being answered; the others are obvious. */
const MAY_WAIT: ReadonlySet<number> = new Set([409, 429, 503]);
