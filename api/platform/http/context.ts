import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import { currentTraceId } from "../tracing/spans.ts";
import type { RequestPart } from "./answers/every-request.ts";

/**
 * A caller may choose its request id, but only with characters that are safe in logs and headers.
 */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Until a credential is authenticated. */
const ANONYMOUS: Caller = { kind: "anonymous" };

/**
 * Outermost part: names the request, answers with that name, and writes one log line when the
 * answer is ready. The line holds the route's pattern instead of the path, and neither query nor
 * body: both may carry secrets.
 */
export function requestContext(log: Logger): RequestPart {
  const logs = logsOfRoutes(log);
  return {
    before(c) {
      const sent = c.req.header("x-request-id");
      const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
      c.set("requestId", requestId);
      c.set("log", () => log.child({ requestId, traceId: currentTraceId() }));
      c.set("caller", ANONYMOUS);
      return undefined;
    },

    after(c, { headers, route, startedAt }) {
      const requestId = c.get("requestId");
      headers["x-request-id"] = requestId;
      const error = c.error instanceof ApiError ? c.error : undefined;
      const isAway = error?.status === 503;
      logs(c.req.method, route, c.res.status)[isAway ? "warn" : "info"](
        {
          requestId,
          traceId: currentTraceId(),
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          errorType: error?.type,
          reason: isAway ? innermostReason(error) : undefined,
        },
        "request",
      );
      return undefined;
    },
  };
}

/** What the part that is away says itself: the first line of the innermost cause. */
function innermostReason(error: Error): string | undefined {
  let link: unknown = error.cause;
  let reason: string | undefined;
  for (let depth = 0; link instanceof Error && depth < 8; depth += 1) {
    reason = link.message.split("\n", 1)[0];
    link = link.cause;
  }
  return reason;
}

/** Logs that say these already: most lines of a service have the same few. */
function logsOfRoutes(log: Logger) {
  const known = new LRUCache<string, Logger>({ max: 2_000 });
  return (method: string, route: string, status: number): Logger => {
    const key = `${status} ${method} ${route}`;
    let ofRoute = known.get(key);
    if (ofRoute === undefined) {
      ofRoute = log.child({ method, route, status });
      known.set(key, ofRoute);
    }
    return ofRoute;
  };
}
