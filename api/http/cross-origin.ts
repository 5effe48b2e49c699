import type { Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "./env.ts";
import { OWNER_SIGNATURE_HEADER, rulesAmong } from "./guard.ts";
import { INDEXED_BLOCK_HEADER } from "./indexed-block.ts";

/**
 * Which pages' scripts may read an answer: any for public reads, the service's own for everything else. No cookies exist, so
 * there is nothing to allow them for.
 */
export function crossOrigin(app: Hono<AppEnv>, publicUrl: URL): MiddlewareHandler<AppEnv> {
  return cors({
    origin: (origin, c) => {
      if (origin === publicUrl.origin) return origin;
      // A preflight asks about another method than its own.
      const asked = c.req.header("access-control-request-method");
      const method = c.req.method === "OPTIONS" && asked ? asked : c.req.method;
      const [matches] = app.router.match(method === "HEAD" ? "GET" : method, c.req.path);
      const rules = rulesAmong(matches.map(([[handler]]) => handler));
      return rules?.origins === "any" ? "*" : null;
    },
    allowHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-None-Match",
      "X-Request-Id",
      OWNER_SIGNATURE_HEADER,
    ],
    exposeHeaders: [
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
    ],
    maxAge: 600,
  });
}
