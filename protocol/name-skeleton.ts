/** Two letters that together look like one. */
const PAIRS: readonly (readonly [pair: RegExp, one: string])[] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/c[l1]/g, "d"],
];

/**
 * Characters that are read as another one. No two digits are read as the same letter, so that the
 * numbered names of a series (`scout-6`, `scout-8`) stay apart.
 */
const READ_AS: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  l: "i",
  2: "z",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  8: "b",
  9: "g",
  q: "g",
};

/**
 * What a name looks like at a glance: two names with the same skeleton are easily mistaken for each
 * other (`heron`, `her0n` and `her-on`; `modem` and `modern`; `paypal` and `paypai`). A skeleton is
 * for comparison only: it is not a name. Accepts any string, and never throws.
 *
 * It is a narrow form of Unicode's skeletons (UTS 39) for the characters that names may have. A
 * hyphen counts only between two digits, where it separates numbers.
 */
export function nameSkeleton(name: string): string {
  let skeleton = name
    .toLowerCase()
    .replaceAll(/([0-9])-+(?=[0-9])|-+/g, (_hyphens, digit?: string) =>
      digit === undefined ? "" : `${digit}-`,
    );
  for (const [pair, one] of PAIRS) skeleton = skeleton.replaceAll(pair, one);
  return skeleton.replaceAll(/[0-9lq]/g, (character) => READ_AS[character] ?? character);
}
