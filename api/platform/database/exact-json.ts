/** How an integer beyond JSON's own is written in a `jsonb` column. */
const BIGINT = "$bigint";
/** Wraps an object of a caller that only looks like a mark, as its entries. */
const PLAIN = "$plain";

/** `value` as JSON text: its bigints are marked, so that `fromExactJson` restores them. */
export function exactJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? { [BIGINT]: part.toString() } : unmarked(part),
  );
}

function unmarked(part: unknown): unknown {
  const mark = soleKey(part);
  return mark === BIGINT || mark === PLAIN ? { [PLAIN]: Object.entries(part as object) } : part;
}

function soleKey(part: unknown): string | null {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return null;
  const [key, other] = Object.keys(part);
  return key === undefined || other !== undefined ? null : key;
}

/** @typeParam T what `exactJsonText` was given. */
export function fromExactJson<T>(json: unknown): T {
  return restored(json) as T;
}

function restored(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(restored);
  if (typeof part !== "object" || part === null) return part;
  const marked = part as Readonly<Record<string, unknown>>;
  const mark = soleKey(part);
  if (mark === BIGINT) return BigInt(marked[BIGINT] as string);
  const entries = mark === PLAIN ? (marked[PLAIN] as [string, unknown][]) : Object.entries(marked);
  return Object.fromEntries(entries.map(([key, value]) => [key, restored(value)]));
}
