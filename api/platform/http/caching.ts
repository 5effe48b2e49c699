import type { Context } from "hono";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedPoint } from "../../soul/index-reads.ts";
import {
  answerUnchanged,
  bodyOfAnswer,
  bytesOfAnswer,
  headersOfAnswer,
  isWhole,
} from "./answers/answer-body.ts";
import { CACHE_RULES, type CacheRule, type CacheVariants, isKeepable } from "./cache-rules.ts";
import { contentTag, isHeld } from "./conditional.ts";
import type { AppEnv } from "./env.ts";
import { INDEX_LAG_HEADER } from "./indexed-block.ts";

/** Marks the answer as about a soul with a valid seal. Others get the shorter cache time. */
export function aboutValidSeal(c: Context<AppEnv>): void {
  c.set("cacheVariant", "sealed");
}

/**
 * Sets a successful answer's Cache-Control by its rule and, where it may be stored, an ETag.
 * Answers 304 to a caller that has it. An ETag set by the handler is kept.
 */
export async function applyCacheRule(
  c: Context<AppEnv>,
  operationRule: CacheRule,
  age: Pick<IndexAge, "isFresh" | "standing">,
): Promise<void> {
  if (c.res.status >= 400) return;
  const headers = headersOfAnswer(c);
  const at = c.get("indexedAt");
  const isOld =
    at === undefined ? isTimed(operationRule) && age.standing().behind : !age.isFresh(at);
  if (isOld) headers.set(INDEX_LAG_HEADER, lagOf(at, age));
  // Cache times apply while the index is fresh: a cached old answer would be even older.
  const rule = isOld ? "never" : operationRule;
  headers.set("Cache-Control", cacheControl(rule, c.get("cacheVariant") ?? "other"));
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isKeepable(rule) || !isRead || c.res.status !== 200) return;
  if (headers.has("ETag")) return;

  const made = bodyOfAnswer(c);
  const tag = contentTag(isWhole(made) ? made : await bytesOfAnswer(c));
  headers.set("ETag", tag);
  if (isHeld(c, tag)) answerUnchanged(c);
}

/** Whether a copy of an answer that follows the chain may be used without revalidation. */
function isTimed(rule: CacheRule): boolean {
  return rule === "profile" || rule === "verification";
}

function lagOf(at: IndexedPoint | undefined, age: Pick<IndexAge, "standing">): string {
  const { chainBlock, lagBlocks } = age.standing();
  if (at === undefined) return String(lagBlocks ?? "unknown");
  return chainBlock === null ? "unknown" : String(Math.max(0, Number(chainBlock - at.block)));
}

function cacheControl(rule: CacheRule, variant: keyof CacheVariants): string {
  const value = CACHE_RULES[rule];
  return typeof value === "string" ? value : value[variant];
}
