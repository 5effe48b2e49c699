import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { AppEnv, HeaderRecord } from "../env.ts";
import { bodyOfAnswer, makePlainAnswers, recordOfAnswer, replaceAnswer } from "./answer-body.ts";

/** A request while its answer is finished. */
export interface Finishing {
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** The pattern of the route; empty without one. */
  readonly route: string;
  /** Headers of the answer. They replace those that the handler set. */
  readonly headers: HeaderRecord;
  /** Names in `Vary`, beside those that the handler named. */
  readonly varies: string[];
}

/** Something that is done for every request. */
export interface RequestPart {
  /** Before the handler. A part that answers ends the request: neither later parts nor the handler see it. */
  before?(c: Context<AppEnv>): Promise<Response> | undefined;
  /** After it, in the opposite order. Also for an error, and for a path without a route. */
  after?(c: Context<AppEnv>, finishing: Finishing): Promise<void> | undefined;
}

/**
 * Does what is done for every request in one middleware, and adds all headers at once: middleware for each would
 * cost several promises each, and a `Headers` object for each answer costs more than most handlers do.
 *
 * @param standard Headers that an answer has unless its handler set them.
 */
export function everyRequest(
  parts: readonly RequestPart[],
  standard: Promise<HeaderRecord> | undefined = undefined,
): MiddlewareHandler<AppEnv> {
  const reversed = parts.toReversed();
  let known: HeaderRecord | undefined;
  return async (c, next) => {
    const startedAt = performance.now();
    makePlainAnswers(c);
    const early = begin(c, parts);
    if (early === undefined) await next();
    else c.res = await early;

    known ??= await (standard ?? {});
    const route = matchedRoutes(c).at(-1)?.path ?? "";
    const finishing: Finishing = { startedAt, route, headers: {}, varies: [] };
    for (const part of reversed) {
      const pending = part.after?.(c, finishing);
      if (pending !== undefined) await pending;
    }
    addHeaders(c, known, finishing);
  };
}

function begin(c: Context<AppEnv>, parts: readonly RequestPart[]): Promise<Response> | undefined {
  for (const part of parts) {
    const answer = part.before?.(c);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function addHeaders(c: Context<AppEnv>, standard: HeaderRecord, finishing: Finishing): void {
  const own = recordOfAnswer(c);
  if (own === undefined) {
    addToAnswer(c.res.headers, standard, finishing);
    return;
  }
  const headers: HeaderRecord = { ...standard };
  for (const name in own) headers[name] = own[name] ?? "";
  for (const name in finishing.headers) headers[name] = finishing.headers[name] ?? "";
  if (finishing.varies.length > 0) {
    const added = finishing.varies.join(", ");
    headers.vary = headers.vary === undefined ? added : `${headers.vary}, ${added}`;
  }
  replaceAnswer(c, bodyOfAnswer(c) ?? null, { status: c.res.status, headers });
}

/** To an answer with several cookies, or one that was not made by a handler. */
function addToAnswer(headers: Headers, standard: HeaderRecord, finishing: Finishing): void {
  for (const name in standard) {
    if (!headers.has(name)) headers.set(name, standard[name] ?? "");
  }
  for (const name in finishing.headers) headers.set(name, finishing.headers[name] ?? "");
  for (const name of finishing.varies) headers.append("vary", name);
}
