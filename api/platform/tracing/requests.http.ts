import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { ApiError } from "../../kernel/errors.ts";
import type { AppEnv } from "../http/env.ts";
import { runInSpan, type Tracing } from "./spans.ts";

/** Asked every few seconds by balancers and Prometheus. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);

/**
 * Begins a trace for every request, under the pattern of its route. A `traceparent` that a client
 * sends is ignored: it could name the trace of another request, or ask for every request to be
 * recorded.
 */
export function requestTracing(tracing: Tracing): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (PROBES.has(c.req.path)) return next();
    const { method } = c.req;
    const span = tracing.begin(method, {
      kind: "server",
      attributes: { "http.request.method": method },
    });
    await runInSpan(span, async () => {
      await next();
      const route = matchedRoutes(c).at(-1)?.path ?? "";
      span.rename(`${method} ${route}`);
      span.set({
        "http.route": route,
        "http.response.status_code": c.res.status,
        "svc.request.id": c.get("requestId"),
      });
      if (c.error instanceof ApiError && c.res.status >= 500) {
        span.set({ "error.type": c.error.type });
      }
    });
  };
}
