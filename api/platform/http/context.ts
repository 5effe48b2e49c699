import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Logger } from "pino";
import { ApiError } from "../../kernel/errors.ts";
import { currentTraceId } from "../tracing/spans.ts";
import type { AppEnv } from "./env.ts";

/**
 * A caller may choose its request id, but only with characters that are safe in logs and headers.
 */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Outermost middleware: names the request, answers with that name, and writes one log line when the
 * answer is ready. The line holds the route's pattern instead of the path, and neither query nor
 * body: both may carry secrets.
 */
export function requestContext(log: Logger): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const sent = c.req.header("x-request-id");
    const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
    const traceId = currentTraceId();
    const requestLog = log.child(traceId === undefined ? { requestId } : { requestId, traceId });
    c.set("requestId", requestId);
    c.set("log", requestLog);
    // Until a credential is authenticated.
    c.set("caller", { kind: "anonymous" });

    const startedAt = performance.now();
    await next();

    c.res.headers.set("X-Request-Id", requestId);
    const errorType = c.error instanceof ApiError ? c.error.type : undefined;
    requestLog.info(
      {
        method: c.req.method,
        route: matchedRoutes(c).at(-1)?.path ?? "",
        status: c.res.status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(errorType === undefined ? {} : { errorType }),
      },
      "request",
    );
  };
}
