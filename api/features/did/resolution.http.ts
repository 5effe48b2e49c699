import type { Context, ErrorHandler } from "hono";
import { type ApiError, errorBody } from "../../kernel/errors.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { toApiError } from "../../platform/http/error-handler.ts";
import { negotiate } from "../../platform/http/negotiate.ts";
import { type OperationRules, publicRead } from "../../platform/http/operations.ts";

/** Rules of `GET /v1/did/{name}`. */
export const RESOLUTION_RULES = {
  ...publicRead,
  cache: "verification",
  madeFrom: "database",
} as const satisfies OperationRules;

/** Media types of a document together with its metadata: the name that DID Resolution gives, and the one before it. */
export const RESOLUTION_TYPES = [
  "application/did-resolution",
  "application/did-resolution+json",
] as const;

/** Media types that `GET /v1/did/{name}` answers in; the first when none is asked for. */
export const DID_TYPES = [
  "application/json",
  "application/did+ld+json",
  "application/did+json",
  "application/did",
  ...RESOLUTION_TYPES,
] as const;

export type DidType = (typeof DID_TYPES)[number];
export type ResolutionType = (typeof RESOLUTION_TYPES)[number];

/** The media type that the caller asks for; null when it takes none that there is. */
export function didTypeOf(c: Context): DidType | null {
  return negotiate<DidType>(c.req.header("accept"), DID_TYPES);
}

export function isResolutionType(type: DidType | null): type is ResolutionType {
  return RESOLUTION_TYPES.some((one) => one === type);
}

/**
 * Answers failures of `GET /v1/did/{name}` as DID resolution results where the caller asked for one. Status and headers are those of
 * the error that `answer` sends.
 */
export function withResolutionResults(answer: ErrorHandler<AppEnv>): ErrorHandler<AppEnv> {
  return async (error, c) => {
    const response = await answer(error, c);
    if (c.get("rules") !== RESOLUTION_RULES) return response;
    const mapped = toApiError(error);
    const type = resultType(c, mapped);
    if (type === null) return response;
    const headers = new Headers(response.headers);
    headers.set("Content-Type", type);
    headers.delete("Content-Length");
    const body = JSON.stringify(failedResolution(mapped, c.get("requestId")));
    return new Response(body, { status: response.status, headers });
  };
}

/** A caller that takes nothing there is, and named some DID media type, is answered with a result all the same. */
function resultType(c: Context<AppEnv>, error: ApiError): ResolutionType | null {
  const type = didTypeOf(c);
  if (isResolutionType(type)) return type;
  const named = /(?:^|[\s,])application\/did\b/i.test(c.req.header("accept") ?? "");
  return error.type === "NOT_ACCEPTABLE" && named ? RESOLUTION_TYPES[0] : null;
}

/** A result without a document: the error by its DID Core name, and as problem details (RFC 9457) by its DID Resolution name. */
function failedResolution(error: ApiError, requestId: string) {
  const [name, title] = resolutionError(error);
  const { details } = errorBody(error, requestId).error;
  const detail = issueTexts(details.issues) ?? error.message;
  return {
    didDocument: null,
    didResolutionMetadata: {
      error: name,
      message: detail,
      problem: { type: `https://www.w3.org/ns/did#${title}`, title, detail },
      requestId,
    },
    didDocumentMetadata: {},
  };
}

function resolutionError(error: ApiError): readonly [name: string, title: string] {
  switch (error.type) {
    case "INVALID_NAME":
      return ["invalidDid", "INVALID_DID"];
    case "INVALID_REQUEST":
      return aboutName(error)
        ? ["invalidDid", "INVALID_DID"]
        : ["invalidOptions", "INVALID_OPTIONS"];
    case "NOT_FOUND":
      return ["notFound", "NOT_FOUND"];
    case "NOT_ACCEPTABLE":
      return ["representationNotSupported", "REPRESENTATION_NOT_SUPPORTED"];
    default:
      return ["internalError", "INTERNAL_ERROR"];
  }
}

/** Whether the path is what is wrong, not a parameter. */
function aboutName({ details }: ApiError): boolean {
  const issues = Array.isArray(details?.issues) ? (details.issues as { path?: unknown }[]) : [];
  return issues.some(({ path }) => path === "name");
}

function issueTexts(issues: unknown): string | null {
  if (!Array.isArray(issues) || issues.length === 0) return null;
  return issues
    .map(({ path, message }: { path: string; message: string }) =>
      path === "" ? message : `${path}: ${message}`,
    )
    .join("; ");
}
