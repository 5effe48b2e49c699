/**
 * Words that make comments, errors and titles hard to read: they hide who acts, or say a common
 * technical term in a roundabout way. The count over the whole tree may only fall.
 */

/** The most uses that the whole tree may have. Lower it when the count falls; never raise it. */
export const PLAIN_WORDS_LIMIT = 40;

/** Each word with what to write instead. A space stands for any break between two words. */
const RIDDLES: Readonly<Record<string, string>> = {
  whoever: "name the role: caller, owner, client, operator",
  whatever: "name the thing",
  somebody: "name the role",
  nobody: "name the role, or write 'no owner', 'no client'",
  anybody: "name the role, or write 'any caller'",
  "is none": "write 'is not a hash', 'is invalid' or 'null without one'",
  "are none": "write 'are not hashes' or 'are invalid'",
  "of ours": "name the service, the API or the project",
  "the other": "name it",
  "is over": "write 'has expired', 'has ended' or 'is completed'",
  told: "write 'notified' or 'reported'",
  "taken in hand": "write 'started' or 'claimed'",
  "given company": "write 'hedged'",
};

export interface RiddleUse {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly word: string;
}

const pattern = new RegExp(
  `\\b(${Object.keys(RIDDLES)
    // Two words may stand on two lines of a comment.
    .map((word) => word.replace(" ", "[\\s/*]+"))
    .join("|")})\\b`,
  "gi",
);

/** Every use of a listed word in one file. */
export function riddlesIn(path: string, text: string): RiddleUse[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: text.slice(0, match.index).split("\n").length,
    word: match[0].replace(/[\s/*]+/g, " ").toLowerCase(),
  }));
}

/** What is wrong with these uses; empty when they are within the limit. */
export function riddleProblems(uses: readonly RiddleUse[], limit = PLAIN_WORDS_LIMIT): string {
  if (uses.length <= limit) return "";
  return [
    ...uses.map(({ path, line, word }) => `${path}:${line} "${word}": ${RIDDLES[word]}.`),
    `${uses.length} uses of these words, ${uses.length - limit} above the limit of ${limit}.`,
  ].join("\n");
}
