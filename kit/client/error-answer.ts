import { ApiError, type ApiErrorOptions } from "./api-error.ts";

/** A text of the service is shown to people: it must not fill their log. */
const MAX_TEXT = 1_000;

/** The error that an answer describes, or INVALID_ANSWER for one that is not the service's own. */
export function errorOf(
  response: Pick<Response, "status" | "headers">,
  body: Uint8Array,
  operation: string,
): ApiError {
  const { status, headers } = response;
  const found: ApiErrorOptions = {
    status,
    operation,
    retryAfter: retryAfterOf(headers),
    requestId: headers.get("x-request-id")?.slice(0, MAX_TEXT),
  };
  const error = described(body);
  if (error === null) {
    const message = `The answer has status ${status}, and is not in the service's form.`;
    return new ApiError("INVALID_ANSWER", message, found);
  }
  const { requestId } = error.details;
  return new ApiError(error.type.slice(0, MAX_TEXT), error.message.slice(0, MAX_TEXT), {
    ...found,
    details: error.details,
    requestId: typeof requestId === "string" ? requestId.slice(0, MAX_TEXT) : found.requestId,
    retryAfter: found.retryAfter ?? seconds(error.retryAfter),
  });
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: unknown;
}

function described(body: Uint8Array): DescribedError | null {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  const error = membersOf(membersOf(json).error);
  const { type, message, details, retryAfter } = error;
  if (typeof type !== "string" || typeof message !== "string") return null;
  return { type, message, details: membersOf(details), retryAfter };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** `Retry-After` in seconds: a number, or the time until a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null || text.trim() === "") return undefined;
  return seconds(Number(text)) ?? seconds((Date.parse(text) - Date.now()) / 1000);
}

function seconds(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Math.max(0, Math.ceil(value));
}
