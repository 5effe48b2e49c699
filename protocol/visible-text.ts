/**
 * Characters that show nothing, or change how the text around them is read: controls, bidirectional
 * controls, line and paragraph separators, zero-width characters, fillers, tag characters,
 * variation selectors and lone surrogates. U+2800 is an empty braille pattern; U+FFF9 to U+FFFB
 * hide an annotation.
 */
const HIDDEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]`;

/** Scripts that spell with a joiner or non-joiner between two letters. */
const JOINING = String.raw`[\p{sc=Arab}\p{sc=Syrc}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}]`;

/** Where such a character is part of what is seen: line ends and tabs, emoji sequences, spelling. */
const SEEN = [
  String.raw`[\n\t]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
].join("|");

const SEEN_OR_HIDDEN = new RegExp(`(?<seen>${SEEN})|${HIDDEN}`, "gu");

/** The text with hidden and misleading characters shown by their numbers. Line ends and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll(SEEN_OR_HIDDEN, (character, seen: string | undefined) =>
    seen === undefined
      ? `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`
      : character,
  );
}
