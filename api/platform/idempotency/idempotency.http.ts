import { createHash, randomUUID } from "node:crypto";
import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { AppEnv } from "../http/env.ts";
import { INDEXED_BLOCK_HEADER } from "../http/indexed-block.ts";
import type { Idempotency, IdempotencyLease, StoredAnswer } from "./idempotency.ts";

/** Long enough to avoid collisions between clients; no characters that need escaping. */
const CLIENT_KEY = /^[A-Za-z0-9_-]{16,128}$/;

/** Headers that are repeated; the others belong to the current request. */
const KEPT_HEADERS = ["content-type", "location", "cache-control", INDEXED_BLOCK_HEADER];

/** Paths of an operation's route, without where it is mounted. */
export interface RoutePath {
  readonly current: string;
  /** The former path that this route answers; null at the current one. */
  readonly former: string | null;
}

/** For a route's `request.headers`, so that the header is documented. The middleware checks it. */
export const IdempotencyHeaders = z.object({
  "idempotency-key": z.string().optional().openapi({
    pattern: CLIENT_KEY.source,
    description:
      "Repeating a request with the same key and body within 24 hours repeats its answer instead of its effect.",
  }),
});

/**
 * Declared on every route that mints, claims, writes to the chain or stores something. Sets
 * `operationKey` with and without a client's key. Successful answers are stored and repeated; a
 * rejected request (4xx) leaves nothing behind; a failed one (5xx) may be repeated at once and
 * continues as the same operation.
 */
export function idempotent(idempotency: Idempotency, path?: RoutePath): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const clientKey = c.req.header("idempotency-key");
    if (clientKey === undefined) {
      c.set("operationKey", randomUUID());
      await next();
      return;
    }
    if (!CLIENT_KEY.test(clientKey)) {
      throw badRequest("Idempotency-Key", "Not 16 to 128 letters, digits, - or _");
    }

    const decision = await idempotency.begin({
      clientKey,
      route: `${c.req.method} ${currentPath(c, path)} ${pathParameters(c.req.param())}`,
      credential: c.get("credentialId") ?? headerFingerprint(c.req.header("authorization")),
      body: new Uint8Array(await c.req.arrayBuffer()),
    });
    switch (decision.kind) {
      case "replay":
        return repeat(decision.answer);
      case "conflict":
        throw new ApiError("IDEMPOTENCY_CONFLICT", {
          message: "This Idempotency-Key was used with another request body.",
        });
      case "in_flight":
        throw new ApiError("IDEMPOTENCY_CONFLICT", {
          message: `The request with this Idempotency-Key is still being answered. Repeat it after ${decision.retryAfter} s at the latest: it is then answered, or runs again if its first try failed.`,
          retryAfter: decision.retryAfter,
          details: { retryAfter: decision.retryAfter },
        });
      case "run":
        c.set("operationKey", decision.operationId);
        await next();
        await settle(decision.lease, c.res).catch((error: unknown) => {
          // The answer is right even if it could not be stored: a repeat runs again as the same
          // operation.
          c.get("log")().error({ err: error }, "an idempotent answer could not be kept");
        });
    }
  };
}

async function settle(lease: IdempotencyLease, answer: Response): Promise<void> {
  if (answer.status >= 500) return lease.release();
  if (answer.status >= 400) return lease.forget();
  return lease.finish({
    status: answer.status,
    headers: KEPT_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: Buffer.from(await answer.clone().arrayBuffer()),
  });
}

function repeat(answer: StoredAnswer): Response {
  const headers = new Headers(Object.fromEntries(answer.headers));
  headers.set("Idempotency-Replayed", "true");
  const empty = answer.status === 204 || answer.body.byteLength === 0;
  return new Response(empty ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers,
  });
}

/** A request to a former path is the same operation: its key is the one of the current path. */
function currentPath(c: Context<AppEnv>, path: RoutePath | undefined): string {
  const matched = routePath(c);
  if (path === undefined || path.former === null) return matched;
  if (!matched.endsWith(path.former)) throw new Error(`${matched} is not at ${path.former}.`);
  return `${matched.slice(0, -path.former.length)}${path.current}`;
}

/** One route serves many resources: the key of one must not answer for another. */
function pathParameters(parameters: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Distinguishes callers without storing their credential. */
function headerFingerprint(authorization: string | undefined): string {
  if (authorization === undefined) return "";
  return createHash("sha256").update(authorization, "utf8").digest("hex");
}
