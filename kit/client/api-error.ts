import { ADVICE } from "./advice.ts";
import type { ErrorCode } from "./error-codes.ts";

export interface ApiErrorOptions {
  /** HTTP status; undefined where the service did not answer. */
  readonly status?: number | undefined;
  /** The operation's id. */
  readonly operation?: string | undefined;
  /** The service's name of the request, which its log has too. */
  readonly requestId?: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call. Branch on `code`; texts may change. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number | undefined;
  readonly operation: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** What to do, in one sentence. */
  readonly advice: string;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.operation = options.operation;
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
    this.details = options.details ?? {};
    this.advice = adviceOn(code);
  }
}

function adviceOn(code: string): string {
  const known: Readonly<Record<string, string>> = ADVICE;
  return Object.hasOwn(known, code)
    ? (known[code] ?? "")
    : "Read the message. This version of the client does not know the code.";
}
