interface AcceptedRange {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; 0 refuses. */
  readonly weight: number;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+";
const RANGE = new RegExp(`^(${TOKEN})/(${TOKEN})$`);
const WEIGHT = /^q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The media type to answer with (RFC 9110, section 12.5.1): of those offered the one with the highest weight, where the most
 * specific range decides about each, and the first of equals. Null when none is acceptable. Without a usable header the first.
 *
 * @param offered Lower-case types without parameters, the preferred one first.
 */
export function negotiate<T extends string>(
  header: string | undefined,
  offered: readonly [T, ...T[]],
): T | null {
  const ranges = (header ?? "").split(",").flatMap(parseRange);
  if (ranges.length === 0) return offered[0];
  let best: { readonly type: T; readonly weight: number } | null = null;
  for (const type of offered) {
    const weight = weightOf(type, ranges);
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  return best?.type ?? null;
}

function parseRange(entry: string): AcceptedRange[] {
  const [range = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const [, type, subtype] = RANGE.exec(range) ?? [];
  if (type === undefined || subtype === undefined) return [];
  if (type === "*" && subtype !== "*") return [];
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = q === undefined ? "1" : WEIGHT.exec(q)?.[1];
  return weight === undefined ? [] : [{ type, subtype, weight: Number(weight) }];
}

/** The weight of the most specific range that matches; 0 for none. */
function weightOf(offered: string, ranges: readonly AcceptedRange[]): number {
  const [type, subtype] = offered.split("/");
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype);
  const within = ranges.find((range) => range.type === type && range.subtype === "*");
  const any = ranges.find((range) => range.type === "*");
  return (exact ?? within ?? any)?.weight ?? 0;
}
