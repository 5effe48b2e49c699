import { createHash, hash } from "node:crypto";
import type { Context } from "hono";
import type { AppEnv } from "./env.ts";

/**
 * Tags an answer by its content and says whether the caller already holds it: then the handler answers 304 with no body.
 * Answers that are not tagged by their handler are tagged by their bytes, see `applyCacheRule`.
 *
 * @param content what the tag stands for, as JSON. Leave out what changes with every block: the tag is a weak one, and
 * names answers that mean the same.
 */
export function isUnchanged(c: Context<AppEnv>, content: unknown): boolean {
  const tag = contentTag(JSON.stringify(content));
  c.header("ETag", `W/${tag}`);
  return !c.get("isBuiltWhole") && isHeld(c, tag);
}

/** An entity tag of these bytes, in its quotes. */
export function contentTag(content: Uint8Array | string): string {
  return quoted(hash("sha256", content, "base64url"));
}

/** The same of bytes that are in several pieces. */
export function contentTagOfPieces(pieces: readonly Uint8Array[]): string {
  const digest = createHash("sha256");
  for (const piece of pieces) digest.update(piece);
  return quoted(digest.digest("base64url"));
}

function quoted(digest: string): string {
  return `"${digest.slice(0, 27)}"`;
}

/** Whether the caller has the version that `tag` names. If-None-Match compares weakly. */
export function isHeld(c: Context, tag: string): boolean {
  const held = c.req.header("if-none-match");
  if (held === undefined) return false;
  return held.trim() === "*" || held.split(",").some((entry) => opaque(entry) === tag);
}

/** Without the mark of a weak tag, and without the encoding that `compression` adds to a tag. */
function opaque(entry: string): string {
  return entry
    .trim()
    .replace(/^W\//, "")
    .replace(/^("[\w-]{27})-(?:br|gzip)"$/, '$1"');
}
