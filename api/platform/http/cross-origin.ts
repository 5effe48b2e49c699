import type { Context, Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "./env.ts";
import { OWNER_SIGNATURE_HEADER, rulesAmong, rulesOf } from "./guard.ts";
import { INDEX_LAG_HEADER, INDEXED_BLOCK_HEADER } from "./indexed-block.ts";
import type { OperationRules } from "./operations.ts";
import { POSITION_HEADER } from "./read-position.ts";

const ALLOWED = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "X-Request-Id",
  OWNER_SIGNATURE_HEADER,
  POSITION_HEADER,
];

const EXPOSED = [
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Retry-After",
  "Sunset",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  INDEXED_BLOCK_HEADER,
  INDEX_LAG_HEADER,
  POSITION_HEADER,
];

/**
 * Which origins' scripts may read an answer: any for public reads, the service's own for everything
 * else. There are no cookies.
 */
export function crossOrigin(app: Hono<AppEnv>, publicUrl: URL): MiddlewareHandler<AppEnv> {
  const allowed = (origin: string | undefined, rules: OperationRules | undefined) => {
    if (origin === publicUrl.origin) return origin;
    return rules?.origins === "any" ? "*" : null;
  };
  const preflight = cors({
    origin: (origin, c) => allowed(origin, rulesAskedFor(app, c)),
    allowHeaders: ALLOWED,
    exposeHeaders: EXPOSED,
    maxAge: 600,
  });
  const exposed = EXPOSED.join(",");

  return async (c, next) => {
    const isPreflight =
      c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
    if (isPreflight) return preflight(c, next);
    await next();
    // On the finished answer: the library's own middleware would merge two answers and turn every
    // body into a stream, which costs more than most handlers do.
    const { headers } = c.res;
    const origin = allowed(c.req.header("origin"), rulesOf(c));
    if (origin !== null) headers.set("Access-Control-Allow-Origin", origin);
    headers.set("Access-Control-Expose-Headers", exposed);
    headers.append("Vary", "Origin");
  };
}

/** A preflight concerns another method than its own. */
function rulesAskedFor(app: Hono<AppEnv>, c: Context): OperationRules | undefined {
  const method = c.req.header("access-control-request-method") ?? "GET";
  const [matches] = app.router.match(method === "HEAD" ? "GET" : method, c.req.path);
  return rulesAmong(matches.map(([[handler]]) => handler));
}
