import type { Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { RequestPart } from "./answers/every-request.ts";
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

const NOTHING_MORE = async () => {};

/**
 * Which origins' scripts may read an answer: any for public reads, the service's own for everything
 * else. There are no cookies.
 */
export function crossOrigin(app: Hono<AppEnv>, publicUrl: URL): RequestPart {
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

  return {
    before(c) {
      if (!isPreflight(c)) return undefined;
      return preflight(c, NOTHING_MORE) as Promise<Response>;
    },

    // On the finished answer: the library's own middleware would merge two answers and turn every
    // body into a stream, which costs more than most handlers do.
    after(c, { headers, varies }) {
      if (isPreflight(c)) return undefined;
      const origin = allowed(c.req.header("origin"), c.get("rules") ?? rulesOf(c));
      if (origin !== null) headers["access-control-allow-origin"] = origin;
      headers["access-control-expose-headers"] = exposed;
      varies.push("Origin");
      return undefined;
    },
  };
}

function isPreflight(c: Context<AppEnv>): boolean {
  return c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
}

/** A preflight concerns another method than its own. */
function rulesAskedFor(app: Hono<AppEnv>, c: Context): OperationRules | undefined {
  const method = c.req.header("access-control-request-method") ?? "GET";
  const [matches] = app.router.match(method === "HEAD" ? "GET" : method, c.req.path);
  return rulesAmong(matches.map(([[handler]]) => handler));
}
