import type { Context, MiddlewareHandler } from "hono";
import {
  InvalidJsonError,
  type JsonLimits,
  type JsonValue,
  parseJsonStrict,
} from "../../../../protocol/json.ts";
import { ApiError, badRequest } from "../../../kernel/errors.ts";
import type { AppEnv } from "../env.ts";
import { shownName } from "../parameters.ts";

/** Deepest JSON taken. What is valid nests far less, and validation recurses. */
const MAX_DEPTH = 32;

/** U+0000 as JSON writes it: an escape whose backslash is not itself escaped. Raw, it is no JSON. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads the body once, up to `limit` bytes, and hands it on through the request's body cache. JSON must be UTF-8: the platform's
 * own decoder would put replacement characters where bytes are broken, and what is hashed and signed later would not be what
 * was sent. For the same reason JSON that two readers could understand differently is refused (a key twice, a number that
 * would be rounded, half a surrogate pair), U+0000, which Postgres cannot keep, and the key `__proto__`, which validation drops.
 *
 * @param largeIntegers "text" hands integers that would be rounded on as strings of their digits.
 */
export function readBody(
  limit: number,
  largeIntegers: "refuse" | "text" = "refuse",
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const bytes = await bodyBytes(c, limit);
    if (bytes !== undefined) {
      c.req.bodyCache.arrayBuffer = cached(bytes);
      if (JSON_TYPE.test(c.req.header("content-type") ?? "")) {
        const text = decodeUtf8(bytes);
        if (text !== "") setJson(c, unambiguous(text, limit, largeIntegers));
      }
    }
    return next();
  };
}

/**
 * Refuses a body that is compressed: nothing here decodes one, so its bytes would be taken for what they stand for.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE
 */
export function refuseEncodedBody(c: Context<AppEnv>): void {
  const encoding = c.req.header("content-encoding");
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", {
    message: "Bodies are not decoded: send this one without Content-Encoding.",
    details: { contentEncoding: shownName(encoding) },
  });
}

/**
 * Refuses a body that says it is larger than `limit` bytes, and leaves it unread: its handler reads
 * it as it arrives, and counts.
 */
export function limitDeclaredBody(limit: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const declared = c.req.header("content-length");
    if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit);
    return next();
  };
}

/** Every later reader of the request's JSON gets this value: Hono would parse the text again for each. */
function setJson(c: Context<AppEnv>, value: JsonValue): void {
  c.req.json = <T>() => Promise.resolve(value as T);
}

/** The cache holds promises, which its type does not say. */
function cached<T>(value: T): T {
  return Promise.resolve(value) as unknown as T;
}

async function bodyBytes(c: Context, limit: number): Promise<ArrayBuffer | undefined> {
  const declared = c.req.header("content-length");
  if (declared !== undefined && c.req.header("transfer-encoding") === undefined) {
    if (!/^[0-9]+$/.test(declared) || Number(declared) > limit) throw tooLarge(limit);
    // The server's parser ends the body at the declared length: no need of a stream, which costs more than most handlers do.
    const bytes = await c.req.raw.arrayBuffer().catch(unreadable);
    if (bytes.byteLength > limit) throw tooLarge(limit);
    return bytes;
  }
  const stream = c.req.raw.body;
  if (stream === null) return undefined;

  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    // No length is declared: what arrives is counted.
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > limit) throw tooLarge(limit);
      chunks.push(value);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    unreadable(error);
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

function unreadable(cause: unknown): never {
  const message = "The request body could not be read to its end.";
  throw new ApiError("INVALID_REQUEST", { message, cause });
}

/** The value of a text that every JSON parser reads alike. */
function unambiguous(text: string, maxBytes: number, largeIntegers: "refuse" | "text"): JsonValue {
  const limits = { maxDepth: MAX_DEPTH, maxBytes, largeIntegers, prototypeKey: "refuse" } as const;
  const value = parsed(text, limits);
  if (ESCAPED_NUL.test(text)) throw badRequest("", "U+0000 cannot be kept in any text.");
  return value;
}

function parsed(text: string, limits: JsonLimits): JsonValue {
  try {
    return parseJsonStrict(text, limits);
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    if (error.reason === "syntax") {
      throw new ApiError("INVALID_REQUEST", { message: "The body does not parse.", cause: error });
    }
    throw badRequest(error.path, error.message);
  }
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { details: { limitBytes } });
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ApiError("INVALID_REQUEST", { message: "The request body is not valid UTF-8." });
  }
}
