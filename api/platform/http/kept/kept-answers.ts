import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { usesDatabaseAlone } from "../../../kernel/database-alone.ts";
import type { IndexAge } from "../../../soul/index-age.ts";
import type { IndexedPoint } from "../../../soul/index-reads.ts";
import type { PublicState } from "../../../soul/public-state/public-state.ts";
import {
  bodyOfAnswer,
  bytesOfAnswer,
  headersOfAnswer,
  recordOfAnswer,
  replaceAnswer,
} from "../answers/answer-body.ts";
import type { CacheVariants } from "../cache-rules.ts";
import { contentTag, contentTagOfPieces, isHeld } from "../conditional.ts";
import type { AppEnv, BodyAt, Gate, HeaderRecord, KeptBody, PartAt } from "../env.ts";
import { INDEXED_BLOCK_HEADER } from "../indexed-block.ts";

/** `shared`: with a request for the same that was being built. */
type KeptOutcome = "kept" | "shared" | "built";

interface KeptAnswer {
  /** Without the block, which is `at`. */
  readonly headers: HeaderRecord;
  /** The same without those that describe the body. */
  readonly unchangedHeaders: HeaderRecord;
  readonly tag: string;
  readonly body: KeptBody;
  /** Undefined where the answer names no block. */
  readonly at: IndexedPoint | undefined;
  readonly bodyAt: KeptBodyAt | undefined;
  readonly variant: keyof CacheVariants | undefined;
}

type KeptBodyAt = Exclude<BodyAt, PartAt> | FoundPart;

/** Where in a body, as it was built, the part is that depends on the block: from the byte `start` to the one before `end`. */
interface FoundPart extends PartAt {
  readonly start: number;
  readonly end: number;
  /** What is sent instead of it; undefined for the body as it was built. */
  readonly now?: string | undefined;
}

interface KnownAnswer {
  /** Settled before the answer was built: what changed meanwhile makes the next state another one. */
  readonly state: PublicState;
  /** Made again when it is asked for at a later block. */
  answer: KeptAnswer;
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

const BLOCK = INDEXED_BLOCK_HEADER.toLowerCase();

/** What handlers say with an answer. An answer with any other header is not kept. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  ...["content-type", "content-length", "content-security-policy", "etag", "link"],
  ...["referrer-policy", "vary", BLOCK],
]);

/** Left out of an answer without a body. */
const CONTENT = ["content-type", "content-length"];

/**
 * Answers of operations that are made from the database alone.
 *
 * @param presentState Null where the state is not known.
 * @param mayReadReplica Whether the present request may be answered from a replica, whose state is not known.
 * @param maxBytes All that is kept.
 */
export function createKeptAnswers({
  presentState,
  mayReadReplica,
  age,
  observe,
  maxBytes = MAX_BYTES,
}: {
  readonly presentState: () => Promise<PublicState | null>;
  readonly mayReadReplica: () => boolean;
  readonly age: Pick<IndexAge, "isFresh" | "standing">;
  readonly observe: (outcome: KeptOutcome) => void;
  readonly maxBytes?: number;
}): Gate["kept"] {
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
      if (key === null || mayReadReplica() || !isFresh(undefined)) return build();

      const present = await presentState();
      const last = known.get(key);
      const now = last && present && isFresh(present.at) ? answerNow(last, present) : null;
      if (now !== null) {
        observe("kept");
        return send(c, now);
      }
      if (!present?.isSettled) {
        observe("built");
        return build();
      }
      const name = `${present.name} ${present.at.block} ${key}`;
      const begun = underWay.get(name);
      // It was begun in the same settled state, so it holds all that this request could have read.
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
        if (answer !== null) known.set(key, { state: present, answer });
      } finally {
        underWay.delete(name);
      }
    },
  };
}

/** What an earlier answer is in the present state; null where it must be built again. */
function answerNow(known: KnownAnswer, present: PublicState): KeptAnswer | null {
  const { state, answer } = known;
  if (state.name !== present.name) return null;
  const { bodyAt, at = state.at } = answer;
  if (isSamePoint(at, present.at)) return answer;
  if (bodyAt === undefined) return null;
  known.answer = { ...answer, ...changesAt(answer, bodyAt, present.at), at: present.at };
  return known.answer;
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
  const record = without(recordOfAnswer(c) ?? Object.fromEntries(c.res.headers), BLOCK);
  const at = c.get("indexedAt");
  return {
    ...withBody(record, tag, whole),
    at,
    bodyAt: at === undefined ? undefined : keptBodyAt(c.get("bodyAt"), whole, at),
    variant: c.get("cacheVariant"),
  };
}

/** Undefined for a part that is not in the body exactly once: the answer is then kept for its block alone. */
function keptBodyAt(
  bodyAt: BodyAt | undefined,
  whole: KeptBody["whole"],
  at: IndexedPoint,
): KeptBodyAt | undefined {
  if (typeof bodyAt !== "object") return bodyAt;
  const bytes = bytesOf(whole);
  const part = Buffer.from(bodyAt.partAt(at));
  const start = bytes.indexOf(part);
  if (start === -1 || bytes.includes(part, start + 1)) return undefined;
  return { ...bodyAt, start, end: start + part.length };
}

/** What of an answer is another at a later block. */
function changesAt(answer: KeptAnswer, bodyAt: KeptBodyAt, at: IndexedPoint): Partial<KeptAnswer> {
  if (bodyAt === "same") return {};
  if (typeof bodyAt === "function") {
    const made = shortOrBytes(bodyAt(at));
    return bodyChanges(answer, made, () => contentTag(made));
  }
  const found = { ...bodyAt, now: bodyAt.partAt(at) };
  const { whole } = answer.body;
  return {
    ...bodyChanges(answer, whole, () => contentTagOfPieces(piecesOf(whole, found))),
    bodyAt: found,
  };
}

/**
 * The body that is sent. One with another part is put together each time: kept for each block, the copies of many answers would be
 * collected together with all that is kept.
 */
function wholeOf({ body, bodyAt }: KeptAnswer): KeptBody["whole"] {
  return typeof bodyAt !== "object" || bodyAt.now === undefined
    ? body.whole
    : Buffer.concat(piecesOf(body.whole, bodyAt));
}

function piecesOf(built: KeptBody["whole"], { start, end, now }: FoundPart): readonly Uint8Array[] {
  const bytes = bytesOf(built);
  const part = now === undefined ? bytes.subarray(start, end) : Buffer.from(now);
  return [bytes.subarray(0, start), part, bytes.subarray(end)];
}

function bytesOf(whole: KeptBody["whole"]): Buffer<ArrayBuffer> {
  return typeof whole === "string"
    ? Buffer.from(whole)
    : Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
}

function shortOrBytes(text: string): KeptBody["whole"] {
  return text.length <= MAX_TEXT_LENGTH ? text : Buffer.from(text);
}

function bodyChanges(
  answer: KeptAnswer,
  whole: KeptBody["whole"],
  tagOf: () => string,
): Partial<KeptAnswer> {
  const { etag = "" } = answer.headers;
  // A weak tag names what the answer means at every block.
  const tag = etag.startsWith("W/") ? etag : tagOf();
  return withBody({ ...without(answer.headers, "content-length"), etag: tag }, tag, whole);
}

function withBody(headers: HeaderRecord, tag: string, whole: KeptBody["whole"]) {
  return {
    headers,
    unchangedHeaders: without(headers, ...CONTENT),
    tag: tag.replace(/^W\//, ""),
    body: { whole, encoded: new Map() },
  } satisfies Partial<KeptAnswer>;
}

function isSamePoint(one: IndexedPoint, other: IndexedPoint): boolean {
  return one.block === other.block && one.timestamp === other.timestamp;
}

function send(c: Context<AppEnv>, answer: KeptAnswer): void {
  const { tag, body, at, variant } = answer;
  if (variant === "sealed") c.set("cacheVariant", variant);
  const isUnchanged = isHeld(c, tag);
  // A copy, to which others add.
  const headers = { ...(isUnchanged ? answer.unchangedHeaders : answer.headers) };
  if (at !== undefined) {
    c.set("indexedAt", at);
    headers[BLOCK] = String(at.block);
  }
  if (isUnchanged) replaceAnswer(c, null, { status: 304, headers });
  else replaceAnswer(c, wholeOf(answer), { status: 200, headers });
  c.set("keptBody", body);
}

function without(headers: HeaderRecord, ...names: string[]): HeaderRecord {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
