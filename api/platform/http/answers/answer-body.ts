import { validateHeaderValue } from "node:http";
import type { Context } from "hono";
import { HtmlEscapedCallbackPhase, resolveCallback } from "hono/utils/html";
import type { StatusCode } from "hono/utils/http-status";
import type { AppEnv, HeaderRecord } from "../env.ts";

/** The headers of an answer. */
export type AnswerHeaders = Pick<Headers, "get" | "has" | "set" | "delete">;

type Data = Parameters<Context["newResponse"]>[0];
/** The library also takes an object here. */
type Status = StatusCode | ResponseInit | undefined;
type ExtraHeaders = Record<string, string | string[]> | undefined;
type Html = Parameters<Context["html"]>[0];

/**
 * Makes the answers of handlers (`c.json`, `c.text`, `c.html`, `c.body`, `c.redirect`) without the
 * library's detours: their headers stay a plain record and their bodies are kept as they were given.
 * A `Headers` object for each answer, and a body that is read back from a stream, each cost more than
 * most handlers do.
 */
export function makePlainAnswers(c: Context<AppEnv>): void {
  Object.assign(c, { header, json, text, html, body: make, newResponse: make });
}

/** The body of the answer; undefined where it is known to the answer alone. */
export function bodyOfAnswer(c: Context<AppEnv>): Data | undefined {
  return madeAnswer(c)?.body;
}

/**
 * The headers of the answer, to be read and changed. `c.res.headers` would be a copy of those that are sent.
 */
export function headersOfAnswer(c: Context<AppEnv>): AnswerHeaders {
  return new PresentHeaders(() => recordOfAnswer(c) ?? c.res.headers);
}

/** The answer's headers as a plain record, to be changed by its maker alone. Undefined where only the answer holds them. */
export function recordOfAnswer(c: Context<AppEnv>): HeaderRecord | undefined {
  return madeAnswer(c)?.headers;
}

/** Whether all of a body is there, and does not pass through a stream. */
export function isWhole(body: Data | undefined): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** The bytes of an answer with a body. An answer that was made elsewhere is read once, and made again of what was read. */
export async function bytesOfAnswer(c: Context<AppEnv>): Promise<Uint8Array<ArrayBuffer>> {
  const body = bodyOfAnswer(c);
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  replaceBody(c, bytes);
  return bytes;
}

/** Replaces the answer, headers included. A record of headers may be changed later. */
export function replaceAnswer(
  c: Context<AppEnv>,
  body: Data,
  init: { readonly status: number; readonly headers: Headers | HeaderRecord },
): void {
  const answer = new Response(body, init);
  const headers = init.headers instanceof Headers ? undefined : init.headers;
  c.set("made", { answer, body, headers });
  // The setter would add the headers of the answer before.
  c.res = undefined;
  c.res = answer;
}

/** Gives the answer another body, and keeps its status and headers. */
export function replaceBody(c: Context<AppEnv>, body: Data): void {
  const { status } = c.res;
  replaceAnswer(c, body, { status, headers: recordOfAnswer(c) ?? c.res.headers });
}

/** Answers 304 with the headers of the answer, as far as they do not describe its body. */
export function answerUnchanged(c: Context<AppEnv>): void {
  const headers = recordOfAnswer(c) ?? Object.fromEntries(c.res.headers);
  for (const name of ["content-type", "content-length", "content-disposition"]) {
    delete headers[name];
  }
  replaceAnswer(c, null, { status: 304, headers });
}

/** The answer that was made last, unless another has replaced it. */
function madeAnswer(c: Context<AppEnv>): AppEnv["Variables"]["made"] {
  const made = c.get("made");
  return made !== undefined && made.answer === c.res ? made : undefined;
}

/** Used like `Headers`, of those that are there at the time: the answer may be replaced in between. */
class PresentHeaders implements AnswerHeaders {
  readonly #present: () => Headers | HeaderRecord;

  constructor(present: () => Headers | HeaderRecord) {
    this.#present = present;
  }

  get(name: string): string | null {
    const headers = this.#present();
    return headers instanceof Headers ? headers.get(name) : (headers[name.toLowerCase()] ?? null);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  set(name: string, value: string): void {
    const headers = this.#present();
    if (headers instanceof Headers) headers.set(name, value);
    else headers[name.toLowerCase()] = value;
  }

  delete(name: string): void {
    const headers = this.#present();
    if (headers instanceof Headers) headers.delete(name);
    else delete headers[name.toLowerCase()];
  }
}

function header(
  this: Context<AppEnv>,
  name: string,
  value?: string,
  options?: { append?: boolean },
): void {
  const { headers, cookies } = this.finalized
    ? { headers: headersOfAnswer(this), cookies: null }
    : preparedIn(this);
  if (name.toLowerCase() === "set-cookie") {
    if (cookies === null || value === undefined) {
      throw new Error("A cookie is set before the answer is made.");
    }
    if (options?.append !== true) cookies.length = 0;
    cookies.push(value);
    return;
  }
  if (value === undefined) {
    headers.delete(name);
    return;
  }
  validateHeaderValue(name, value);
  const before = options?.append === true ? headers.get(name) : null;
  headers.set(name, before === null ? value : `${before}, ${value}`);
}

function preparedIn(c: Context<AppEnv>) {
  const { headers, cookies } = c.get("prepared") ?? { headers: {}, cookies: [] };
  c.set("prepared", { headers, cookies });
  return { headers: new PresentHeaders(() => headers), cookies };
}

function json(this: Context<AppEnv>, value: unknown, status?: Status, headers?: ExtraHeaders) {
  return respond(this, JSON.stringify(value), "application/json", status, headers);
}

function text(this: Context<AppEnv>, value: string, status?: Status, headers?: ExtraHeaders) {
  return respond(this, value, "text/plain; charset=UTF-8", status, headers);
}

function html(this: Context<AppEnv>, value: Html, status?: Status, headers?: ExtraHeaders) {
  const type = "text/html; charset=UTF-8";
  if (typeof value === "string") return respond(this, value, type, status, headers);
  return resolveCallback(value, HtmlEscapedCallbackPhase.Stringify, false, {}).then((whole) =>
    // Elements give a string object, which is no body.
    respond(this, String(whole), type, status, headers),
  );
}

function make(this: Context<AppEnv>, data: Data, status?: Status, headers?: ExtraHeaders) {
  return respond(this, data, undefined, status, headers);
}

/** Makes an answer and remembers of what it was made. */
function respond(
  c: Context<AppEnv>,
  body: Data,
  contentType: string | undefined,
  status: Status,
  extra: ExtraHeaders,
): Response {
  const prepared = c.get("prepared");
  const headers: HeaderRecord = { ...prepared?.headers };
  if (contentType !== undefined) headers["content-type"] = contentType;
  if (typeof status === "object") {
    for (const [name, value] of new Headers(status.headers)) headers[name] = value;
  }
  for (const name in extra) {
    const value = String(extra[name]);
    validateHeaderValue(name, value);
    headers[name.toLowerCase()] = value;
  }
  const code = typeof status === "object" ? status.status : status;
  return prepared === undefined || prepared.cookies.length === 0
    ? remembered(c, body, { status: code ?? 200, headers }, headers)
    : remembered(c, body, { status: code ?? 200, headers: withCookies(headers, prepared.cookies) });
}

function remembered(
  c: Context<AppEnv>,
  body: Data,
  init: { readonly status: number; readonly headers: Headers | HeaderRecord },
  headers?: HeaderRecord,
): Response {
  const answer = new Response(body, init);
  c.set("made", { answer, body, headers });
  return answer;
}

/** Only a `Headers` object holds several cookies. */
function withCookies(record: HeaderRecord, cookies: readonly string[]): Headers {
  const headers = new Headers(record);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
}
