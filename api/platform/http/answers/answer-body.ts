import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../env.ts";

type Data = Parameters<Context["newResponse"]>[0];
/** The library also takes an object here, and treats it the same. */
type Status = StatusCode | undefined;
type ExtraHeaders = Record<string, string | string[]> | undefined;

/**
 * Keeps the bodies of answers that handlers make with `c.json`, `c.text` and `c.body`, as they were
 * given. Read back from a `Response`, each would pass through a stream, which costs more than most
 * handlers do.
 */
export function keepBodies(c: Context<AppEnv>): void {
  Object.assign(c, { json, text, body });
}

/** The body of the answer; undefined where it is known to the answer alone. */
export function bodyOfAnswer(c: Context<AppEnv>): Data | undefined {
  const made = c.get("made");
  return made !== undefined && made.answer === c.res ? made.body : undefined;
}

/** Whether all of a body is there, and does not pass through a stream. */
export function isWhole(body: Data | undefined): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** The bytes of the answer. Read once, and not from a copy. */
export async function bytesOfAnswer(c: Context<AppEnv>): Promise<Uint8Array<ArrayBuffer>> {
  const body = bodyOfAnswer(c);
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  return new Uint8Array(await c.res.arrayBuffer());
}

/** Replaces the answer, headers included. */
export function replaceAnswer(
  c: Context<AppEnv>,
  body: Data,
  init: { readonly status: number; readonly headers: Headers | Record<string, string> },
): void {
  const answer = new Response(body, init);
  c.set("made", { answer, body });
  // The setter would add the headers of the answer before.
  c.res = undefined;
  c.res = answer;
}

function make(c: Context<AppEnv>, body: Data, status: Status, headers: ExtraHeaders): Response {
  const answer = c.newResponse(body, status, headers);
  c.set("made", { answer, body });
  return answer;
}

function json(this: Context<AppEnv>, value: unknown, status?: Status, headers?: ExtraHeaders) {
  return make(this, JSON.stringify(value), status, typed("application/json", headers));
}

function text(this: Context<AppEnv>, value: string, status?: Status, headers?: ExtraHeaders) {
  return make(this, value, status, typed("text/plain; charset=UTF-8", headers));
}

function body(this: Context<AppEnv>, data: Data, status?: Status, headers?: ExtraHeaders) {
  return make(this, data, status, headers);
}

function typed(contentType: string, headers: ExtraHeaders): NonNullable<ExtraHeaders> {
  return { "Content-Type": contentType, ...headers };
}
