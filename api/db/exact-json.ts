/** How an integer beyond JSON's own is written in a `jsonb` column. */
const BIGINT = "$bigint";

/** `value` as a `jsonb` column keeps it: its bigints are marked, so that `fromExactJson` gives the same again. */
export function toExactJson(value: object): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? { [BIGINT]: part.toString() } : part,
  );
  return JSON.parse(text);
}

/** @typeParam T what `toExactJson` was given. */
export function fromExactJson<T>(json: unknown): T {
  return restored(json) as T;
}

function restored(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(restored);
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === BIGINT && typeof first[1] === "string") {
    return BigInt(first[1]);
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, restored(value)]));
}
