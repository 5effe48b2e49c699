import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import type { AppEnv } from "./env.ts";

export interface BodyLimits {
  /** Bytes a body may have. */
  readonly defaultBytes: number;
  /** Paths that take files, and the bytes theirs may have. The first match decides. */
  readonly larger: readonly { readonly path: RegExp; readonly bytes: number }[];
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads the body once, up to its limit, and hands it on through the request's body cache. JSON must be UTF-8: the platform's
 * own decoder would put replacement characters where bytes are broken, and what is hashed and signed later would not be what
 * was sent.
 */
export function readBody(limits: BodyLimits): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const limit = limitFor(c.req.path, limits);
    const bytes = await bodyBytes(c, limit);
    if (bytes !== undefined) {
      c.req.bodyCache.arrayBuffer = cached(bytes);
      if (JSON_TYPE.test(c.req.header("content-type") ?? "")) {
        c.req.bodyCache.text = cached(decodeUtf8(bytes));
      }
    }
    return next();
  };
}

/** The cache holds promises, which its type does not say. */
function cached<T>(value: T): T {
  return Promise.resolve(value) as unknown as T;
}

function limitFor(path: string, limits: BodyLimits): number {
  return limits.larger.find((entry) => entry.path.test(path))?.bytes ?? limits.defaultBytes;
}

async function bodyBytes(c: Context, limit: number): Promise<ArrayBuffer | undefined> {
  const declared = c.req.header("content-length");
  if (declared !== undefined && c.req.header("transfer-encoding") === undefined) {
    if (!/^[0-9]+$/.test(declared) || Number(declared) > limit) throw tooLarge(limit);
  }
  const stream = c.req.raw.body;
  if (stream === null) return undefined;

  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    // The declared length is the client's word; what arrives is counted.
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > limit) throw tooLarge(limit);
      chunks.push(value);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("INVALID_REQUEST", {
      message: "The request body could not be read to its end.",
      cause: error,
    });
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes.buffer;
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { details: { limitBytes } });
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("INVALID_REQUEST", { message: "The request body is not valid UTF-8." });
  }
}
