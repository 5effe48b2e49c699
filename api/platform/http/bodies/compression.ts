import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { bytesOfAnswer, headersOfAnswer, replaceBody } from "../answers/answer-body.ts";
import type { RequestPart } from "../answers/every-request.ts";
import type { AppEnv } from "../env.ts";

/** Smaller bodies fit into one packet: compressing them saves nothing. */
const SMALLEST = 1024;
/** Of these types only: files and archived items are sent as they are. */
const COMPRESSED_TYPE =
  /^(?:application\/(?:(?:[a-z.-]+\+)?json|xml)|image\/svg\+xml|text\/(?:html|css|javascript|plain))(?![\w.+-])/;
/** Of Brotli. Higher qualities take several times as long, for a few percent. */
const QUALITY_EACH_TIME = 4;
const QUALITY_ONCE = 9;

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

async function encode(body: Uint8Array, encoding: Encoding, quality: number) {
  const encoded =
    encoding === "br"
      ? await promisify(brotliCompress)(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality },
        })
      : await promisify(gzip)(body);
  return new Uint8Array(encoded);
}

/**
 * Compresses answers that caches may keep, as the client accepts it. Content that is named by its
 * hash is left to its route. What no cache may keep is sent as it is: compressed beside the caller's own input, a
 * secret could be guessed from the answer's length. Each encoding has an ETag of
 * its own, `"<tag>-gzip"`; `isHeld` takes any of them.
 */
export function compression(): RequestPart {
  return {
    after(c, { varies }) {
      if (c.res.status === 304) repeatHeldTag(c);
      if (!isCompressible(c)) return undefined;
      varies.push("Accept-Encoding");
      const encoding = acceptedEncoding(c);
      return encoding === undefined ? undefined : compress(c, encoding);
    },
  };
}

async function compress(c: Context<AppEnv>, encoding: Encoding): Promise<void> {
  const kept = c.get("keptBody")?.encoded;
  let compressing = kept?.get(encoding);
  if (compressing === undefined) {
    const body = await bytesOfAnswer(c);
    if (body.length < SMALLEST) return;
    compressing = encode(body, encoding, QUALITY_EACH_TIME);
    kept?.set(encoding, compressing);
  }
  const headers = headersOfAnswer(c);
  headers.set("Content-Encoding", encoding);
  headers.delete("Content-Length");
  const tag = headers.get("ETag");
  if (tag?.startsWith('"')) headers.set("ETag", encodedTag(tag, encoding));
  replaceBody(c, await compressing);
}

function acceptedEncoding(c: Context): Encoding | undefined {
  return ENCODINGS.find((name) => accepts(c, name));
}

/** A body as it is sent. */
export interface EncodedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined: as it is. */
  readonly encoding: Encoding | undefined;
}

/**
 * For files that never change: each is compressed once for each encoding, when it is first asked for, and kept. The
 * caller knows that there are few of them. Their content is the same for everyone, so there is nothing to guess.
 */
export function keptEncodings() {
  const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return async (
    c: Context,
    name: string,
    file: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string },
  ): Promise<EncodedBody> => {
    const plain = { bytes: file.bytes, encoding: undefined };
    if (!COMPRESSED_TYPE.test(file.contentType) || file.bytes.length < SMALLEST) return plain;
    c.header("Vary", "Accept-Encoding", { append: true });
    const encoding = acceptedEncoding(c);
    if (encoding === undefined) return plain;
    const key = `${encoding}:${name}`;
    const encoded = kept.get(key) ?? encode(file.bytes, encoding, QUALITY_ONCE);
    kept.set(key, encoded);
    return { bytes: await encoded, encoding };
  };
}

/** Whether the client names the encoding, and not with the weight 0 that refuses it. */
export function accepts(c: Context, encoding: Encoding): boolean {
  return (c.req.header("accept-encoding") ?? "")
    .toLowerCase()
    .split(",")
    .map((entry) => entry.split(";").map((part) => part.trim()))
    .some(([name, weight]) => name === encoding && !/^q=0(?:\.0*)?$/.test(weight ?? ""));
}

function isCompressible(c: Context<AppEnv>): boolean {
  const { status } = c.res;
  const headers = headersOfAnswer(c);
  const cache = headers.get("Cache-Control") ?? "no-store";
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isRead || status !== 200 || /no-store|immutable/.test(cache)) return false;
  return (
    !headers.has("Content-Encoding") && COMPRESSED_TYPE.test(headers.get("Content-Type") ?? "")
  );
}

/** A 304 has the tag that the client's copy has. */
function repeatHeldTag(c: Context<AppEnv>): void {
  const headers = headersOfAnswer(c);
  const tag = headers.get("ETag");
  if (!tag?.startsWith('"')) return;
  const held =
    c.req
      .header("if-none-match")
      ?.split(",")
      .map((entry) => entry.trim()) ?? [];
  const encoded = ENCODINGS.map((name) => encodedTag(tag, name));
  const same = held.find((entry) => encoded.includes(entry));
  if (same !== undefined) headers.set("ETag", same);
}

function encodedTag(tag: string, encoding: Encoding): string {
  return `${tag.slice(0, -1)}-${encoding}"`;
}
