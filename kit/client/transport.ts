import { ApiError } from "./api-error.ts";
import { errorOf, retryAfterOf } from "./error-answer.ts";

/** How the client repeats requests and how long it waits. */
export interface TransportOptions {
  /** Time limit of each try in milliseconds. */
  readonly timeoutMs: number;
  /** How often a request is repeated after the first try. */
  readonly retries: number;
  /** A longer Retry-After is not waited for: the error is thrown, with `retryAfter`. */
  readonly maxRetryDelayMs: number;
  /** The most bytes that an answer may have. */
  readonly maxAnswerBytes: number;
  readonly fetch: (request: Request) => Promise<Response>;
  /** From 0 to 1: the source of jitter. */
  readonly random: () => number;
  /** Resolves after so many milliseconds, or rejects with the signal's reason. */
  readonly delay: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /**
   * The last write, which later reads name: the service may read a replica of its database, which is
   * a little behind. Pass one object to several clients of one program.
   */
  readonly lastWrite: LastWrite;
}

/** The last write of a client, so that its reads show it. */
export interface LastWrite {
  position: string | null;
}

/** Where an answer names the write, and a request the write that its answer must show. */
const POSITION_HEADER = "X-Svc-Position";

/** One call of an operation. */
export interface Attempt {
  readonly operation: string;
  /** Whether a repetition has no further effect: a read, or a request with an idempotency key. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

const FIRST_DELAY_MS = 250;
/** Statuses of a service or proxy that cannot answer now. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Sends a request, and repeats it where that is safe and may help. The answer's body is complete.
 *
 * @throws ApiError for every answer that is not a success; the signal's reason when it is aborted.
 */
export async function send(
  request: Request,
  attempt: Attempt,
  options: TransportOptions,
): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await once(request.clone(), attempt, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const waitMs = tries < options.retries ? retryDelay(error, tries, attempt, options) : null;
      if (waitMs === null) throw error;
      await options.delay(waitMs, attempt.signal);
    }
  }
}

/** Milliseconds until the next try; null without one. */
function retryDelay(
  error: ApiError,
  tries: number,
  { repeatable }: Attempt,
  { maxRetryDelayMs, random }: TransportOptions,
): number | null {
  if (!repeatable || !isTemporary(error)) return null;
  const backoff = FIRST_DELAY_MS * 2 ** tries;
  const jitter = random() * backoff;
  const waitMs =
    error.retryAfter === undefined ? backoff + jitter : error.retryAfter * 1000 + jitter;
  if (error.retryAfter !== undefined && error.retryAfter * 1000 > maxRetryDelayMs) return null;
  return Math.min(waitMs, maxRetryDelayMs);
}

/** An IDEMPOTENCY_CONFLICT with a retry time says that the same request is still being answered. */
function isTemporary({ code, status, retryAfter }: ApiError): boolean {
  if (code === "NETWORK_ERROR" || code === "TIMEOUT") return true;
  if (code === "IDEMPOTENCY_CONFLICT") return status === 409 && retryAfter !== undefined;
  return status !== undefined && TEMPORARY.has(status);
}

async function once(
  request: Request,
  { operation, signal, timeoutMs }: Attempt,
  options: TransportOptions,
): Promise<Response> {
  const limit = AbortSignal.timeout(timeoutMs ?? options.timeoutMs);
  const ends = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  try {
    const sent = new Request(request, { signal: ends });
    if (options.lastWrite.position !== null) {
      sent.headers.set(POSITION_HEADER, options.lastWrite.position);
    }
    const response = await options.fetch(sent);
    remember(options.lastWrite, response.headers.get(POSITION_HEADER));
    const body = await bodyOf(response, options.maxAnswerBytes, operation);
    if (!response.ok) {
      throw errorOf(response, body, operation);
    }
    return new Response(body.byteLength === 0 ? null : body, {
      status: response.status,
      headers: withoutLength(response.headers),
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    signal?.throwIfAborted();
    if (limit.aborted) {
      throw new ApiError("TIMEOUT", "The service did not answer in time.", {
        operation,
        cause: error,
      });
    }
    throw new ApiError("NETWORK_ERROR", "The service cannot be reached.", {
      operation,
      cause: error,
    });
  }
}

/** Positions compare as text. Of two writes at the same time the later one counts. */
function remember(last: LastWrite, position: string | null): void {
  if (position !== null && (last.position === null || position > last.position)) {
    last.position = position;
  }
}

/** The body as the client keeps it has another length than a compressed one. */
function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-length");
  kept.delete("content-encoding");
  return kept;
}

async function bodyOf(
  response: Response,
  maxBytes: number,
  operation: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      throw new ApiError("INVALID_ANSWER", `The answer has more than ${maxBytes} bytes.`, {
        operation,
        status: response.status,
        retryAfter: retryAfterOf(response.headers),
      });
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.byteLength;
  }
  return whole;
}
