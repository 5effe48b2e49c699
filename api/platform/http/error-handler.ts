import type { Context, ErrorHandler, Hono, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import { ProtocolError } from "../../../protocol/errors.ts";
import { ApiError, errorBody } from "../../kernel/errors.ts";
import { isDatabaseUnavailable, isOutOfRoom } from "../database/unavailable.ts";
import type { AppEnv } from "./env.ts";
import { countUnmatched } from "./guard.ts";

/**
 * Answers every failure from the catalogue. An unexpected error is logged in full and answered as
 * INTERNAL, without its message, which may hold a query, an internal address or a secret. A part
 * that is away for a time is no fault of the program: the request's own line names it, see
 * `requestContext`.
 */
export function errorHandler(log: Logger): ErrorHandler<AppEnv> {
  return (error, c) => {
    const mapped = toApiError(error);
    if (mapped.status === 500) {
      (c.get("log")?.() ?? log).error({ err: error, errorType: mapped.type }, "request failed");
    }
    // The request's log line reads the error from the context, and should name the answered one.
    c.error = mapped;
    return answer(c, mapped);
  };
}

/**
 * The handler, with what it throws answered as well. The library answers errors of routes, and lets
 * those of a handler without a route pass all middleware, which then do not finish the answer.
 */
export function caught(handler: NotFoundHandler<AppEnv>, onError: ErrorHandler<AppEnv>) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    try {
      return await handler(c);
    } catch (error) {
      return onError(error instanceof Error ? error : new Error(String(error)), c);
    }
  };
}

/**
 * Answers what no route of `app` matches: NOT_FOUND for a path that does not exist,
 * METHOD_NOT_ALLOWED with `Allow` for one that exists with other methods. OPTIONS is answered with
 * `Allow`.
 */
export function notFoundHandler(app: Pick<Hono<AppEnv>, "router">): NotFoundHandler<AppEnv> {
  return async (c) => {
    await countUnmatched(c);
    const { method, path } = c.req;
    const allowed = allowedMethods(app, path);
    if (allowed.length > 0) c.header("Allow", allowed.join(", "));
    if (allowed.length > 0 && method === "OPTIONS") return c.body(null, 204);
    const error =
      allowed.length === 0
        ? new ApiError("NOT_FOUND", { message: "There is no such route." })
        : new ApiError("METHOD_NOT_ALLOWED", {
            message: `This path does not take ${method}. It takes ${allowed.join(", ")}.`,
            details: { allowedMethods: allowed },
          });
    c.error = error;
    return answer(c, error);
  };
}

/** The catalogue's error for any thrown value. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException) return fromHttpException(error);
  if (error instanceof ProtocolError) {
    return new ApiError(error.code === "invalid_name" ? "INVALID_NAME" : "INVALID_REQUEST", {
      message: error.message,
      details: { code: error.code },
      cause: error,
    });
  }
  if (isOutOfRoom(error)) {
    const message =
      "The database has no disk space or memory left, which its operator must add. Repeat the request later.";
    return new ApiError("SERVICE_UNAVAILABLE", { message, retryAfter: 30, cause: error });
  }
  if (isDatabaseUnavailable(error)) return new ApiError("SERVICE_UNAVAILABLE", { cause: error });
  return new ApiError("INTERNAL", { cause: error });
}

/** Hono's own exceptions: a body of the wrong type or one that does not parse. */
function fromHttpException(error: HTTPException): ApiError {
  if (error.status === 415) {
    return new ApiError("UNSUPPORTED_MEDIA_TYPE", { cause: error });
  }
  if (error.status === 413) return new ApiError("PAYLOAD_TOO_LARGE", { cause: error });
  if (error.status === 400) {
    return new ApiError("INVALID_REQUEST", { message: "The body does not parse.", cause: error });
  }
  return new ApiError("INTERNAL", { cause: error });
}

function answer(c: Context<AppEnv>, error: ApiError): Response {
  if (error.retryAfter !== undefined) c.header("Retry-After", String(error.retryAfter));
  c.header("Cache-Control", "no-store");
  return c.json(errorBody(error, c.get("requestId")), error.status);
}

/** Methods that routes are registered for. HEAD is answered as GET without a body, OPTIONS by the application itself. */
const ROUTED = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The value of `Allow` for a path: every method that it answers. Empty for a path that does not exist. */
function allowedMethods(app: Pick<Hono<AppEnv>, "router">, path: string): string[] {
  const methods = ROUTED.filter((method) => {
    const [matches] = app.router.match(method, path);
    // Middleware is registered for every method ("ALL"), and is no route.
    return matches.some(([[, route]]) => route.method === method);
  });
  if (methods.length === 0) return [];
  const head = methods.includes("GET") ? ["HEAD"] : [];
  return [...methods, ...head, "OPTIONS"];
}
