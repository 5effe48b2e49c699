import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { usesDatabaseAlone } from "../../../kernel/database-alone.ts";
import type { IndexAge } from "../../../soul/index-age.ts";
import type { IndexedPoint } from "../../../soul/index-reads.ts";
import type { Snapshot } from "../../database/snapshot.ts";
import {
  bodyOfAnswer,
  bytesOfAnswer,
  type HeaderRecord,
  headersOfAnswer,
  recordOfAnswer,
  replaceAnswer,
} from "../answers/answer-body.ts";
import type { CacheVariants } from "../cache-rules.ts";
import { contentTag, isHeld } from "../conditional.ts";
import type { AppEnv } from "../env.ts";
import { INDEXED_BLOCK_HEADER } from "../indexed-block.ts";
import type { KeptAnswers, KeptBody } from "./ports.ts";

interface KeptAnswersOptions {
  /** The present state of the database; null where it is not known. */
  readonly snapshot: () => Promise<Snapshot | null>;
  readonly age: Pick<IndexAge, "isFresh" | "standing">;
  readonly observe: (outcome: KeptOutcome) => void;
  /** All that is kept, in bytes. */
  readonly maxBytes?: number;
}

/** `shared`: with a request for the same that was being built. */
type KeptOutcome = "kept" | "shared" | "built";

interface KeptAnswer {
  readonly headers: HeaderRecord;
  /** Without those that describe the body. */
  readonly unchangedHeaders: HeaderRecord;
  readonly tag: string;
  readonly body: KeptBody;
  readonly at: IndexedPoint | undefined;
  readonly variant: keyof CacheVariants | undefined;
}

interface KnownAnswer {
  /** Read before the answer was built: what ended meanwhile makes the next snapshot another one. */
  readonly snapshot: Snapshot;
  readonly answer: KeptAnswer;
}

const MAX_BYTES = 48 * 1024 * 1024;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_KEY_LENGTH = 1_000;
/** A text is sent in one write with its headers. Long ones are sent as bytes, which are not encoded each time. */
const MAX_TEXT_LENGTH = 8_192;
/** What an entry takes beside its body and key. */
const ENTRY_BYTES = 2_048;

/** A request with one of these may be answered for its caller alone. */
const OF_CALLER = ["authorization", "cookie", "range"];

/** What handlers say with an answer. An answer with any other header is not kept. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  ...["content-type", "content-length", "content-security-policy", "etag", "link"],
  ...["referrer-policy", "vary", INDEXED_BLOCK_HEADER.toLowerCase()],
]);

/** Left out of an answer without a body. */
const CONTENT: ReadonlySet<string> = new Set(["content-type", "content-length"]);

export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const { snapshot, age, observe, maxBytes = MAX_BYTES } = options;
  const known = new LRUCache<string, KnownAnswer>({
    maxSize: maxBytes,
    maxEntrySize: MAX_ANSWER_BYTES,
    // Half of the body for its compressed forms.
    sizeCalculation: ({ answer }, key) =>
      ENTRY_BYTES + 2 * key.length + Math.ceil(1.5 * answer.body.whole.length),
  });
  const underWay = new Map<string, Promise<KeptAnswer | null>>();

  /** An old index is said in the answer, or the chain is asked instead. */
  function isFresh(at: IndexedPoint | undefined): boolean {
    return !age.standing().behind && (at === undefined || age.isFresh(at));
  }

  /** Builds the answer. Null for one that must not be kept. */
  async function built(c: Context<AppEnv>, build: () => Promise<void>): Promise<KeptAnswer | null> {
    c.set("isBuiltWhole", true);
    const isOfDatabase = await usesDatabaseAlone(build);
    if (c.error !== undefined || c.res.status !== 200 || !isFresh(c.get("indexedAt"))) return null;
    if (headersOfAnswer(c).has("set-cookie")) return null;
    const answer = await answerIn(c);
    send(c, answer);
    const mayBeKept = Object.keys(answer.headers).every((name) => KEPT_HEADERS.has(name));
    return isOfDatabase && mayBeKept ? answer : null;
  }

  return {
    async answer(c: Context<AppEnv>, build) {
      const key = keyOf(c);
      const present = key === null || !isFresh(undefined) ? null : await snapshot();
      if (key === null || present === null) return build();

      const last = known.get(key);
      if (last?.snapshot === present && isFresh(last.answer.at)) {
        observe("kept");
        return send(c, last.answer);
      }
      const name = `${present} ${key}`;
      // It was begun in the same snapshot, so it holds all that this request could have read.
      const begun = underWay.get(name);
      const shared = begun === undefined ? null : await begun;
      if (shared !== null) {
        observe("shared");
        return send(c, shared);
      }
      observe("built");
      const building = built(c, build);
      underWay.set(
        name,
        building.catch(() => null),
      );
      try {
        const answer = await building;
        if (answer !== null) known.set(key, { snapshot: present, answer });
      } finally {
        underWay.delete(name);
      }
    },
  };
}

/** Names what was asked; null for a request whose answer may be the caller's own. */
function keyOf(c: Context<AppEnv>): string | null {
  if (c.req.method !== "GET" || c.get("caller").kind !== "anonymous") return null;
  if (OF_CALLER.some((name) => c.req.header(name) !== undefined)) return null;
  const { url } = c.req;
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  const key = `${path} ${c.req.header("accept") ?? ""}`;
  return key.length > MAX_KEY_LENGTH ? null : key;
}

async function answerIn(c: Context<AppEnv>): Promise<KeptAnswer> {
  const made = bodyOfAnswer(c);
  const isShortText = typeof made === "string" && made.length <= MAX_TEXT_LENGTH;
  const whole = isShortText ? made : await bytesOfAnswer(c);
  const headers = headersOfAnswer(c);
  const tag = headers.get("ETag") ?? contentTag(whole);
  headers.set("ETag", tag);
  const record = recordOfAnswer(c) ?? Object.fromEntries(c.res.headers);
  return {
    headers: record,
    unchangedHeaders: withoutContent(record),
    tag: tag.replace(/^W\//, ""),
    body: { whole, encoded: new Map() },
    at: c.get("indexedAt"),
    variant: c.get("cacheVariant"),
  };
}

function send(c: Context<AppEnv>, answer: KeptAnswer): void {
  const { headers, unchangedHeaders, tag, body, at, variant } = answer;
  if (at !== undefined) c.set("indexedAt", at);
  if (variant === "sealed") c.set("cacheVariant", variant);
  const isUnchanged = isHeld(c, tag);
  // Copies, to which others add.
  if (isUnchanged) replaceAnswer(c, null, { status: 304, headers: { ...unchangedHeaders } });
  else replaceAnswer(c, body.whole, { status: 200, headers: { ...headers } });
  c.set("keptBody", body);
}

function withoutContent(headers: HeaderRecord): HeaderRecord {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONTENT.has(name)));
}
