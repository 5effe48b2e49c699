import { ADVICE } from "./advice.ts";
import type { ServiceErrorCode } from "./operation-types.ts";

/** What goes wrong in the client itself, or on the way. */
export type ClientErrorCode =
  | "NETWORK_ERROR"
  | "TIMEOUT"
  | "INVALID_ANSWER"
  | "INVALID_INPUT"
  | "TOO_MANY_PAGES"
  | "STILL_PENDING"
  | "UNSAFE_TO_SIGN"
  | "UNVERIFIED_FIELDS";

/** `string`: a later version of the service may have codes that this client does not know. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & Record<never, never>);

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
  }

  /** What to do, in one sentence. */
  get advice(): string {
    const known: Readonly<Record<string, string>> = ADVICE;
    return Object.hasOwn(known, this.code)
      ? (known[this.code] ?? "")
      : "Read the message. This version of the client does not know the code.";
  }
}
