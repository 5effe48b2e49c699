import { createHash } from "node:crypto";
import type { Context } from "hono";

/**
 * Tags an answer by its content and says whether the caller already holds it: then the handler answers 304 with no body.
 *
 * @param content what the tag stands for, as JSON. Leave out what changes with every block: the tag is a weak one, and
 * names answers that mean the same.
 */
export function isUnchanged(c: Context, content: unknown): boolean {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  const tag = `"${digest.slice(0, 27)}"`;
  c.header("ETag", `W/${tag}`);

  const held = c.req.header("if-none-match");
  if (held === undefined) return false;
  return held.trim() === "*" || held.split(",").some((entry) => opaque(entry) === tag);
}

/** If-None-Match compares weakly: whether a tag is marked weak plays no part. */
function opaque(entry: string): string {
  return entry.trim().replace(/^W\//, "");
}
