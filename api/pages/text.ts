/** Characters that change the direction of text or show nothing, and so can make it read as something else. */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** The text with such characters shown by their numbers. Line ends and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** A key of a document in words: "newSoulHash" and "new_soul_hash" are both "New soul hash". */
export function inWords(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_\s-]+/g, " ")
    .trim()
    .toLowerCase();
  return visibleText(words.charAt(0).toUpperCase() + words.slice(1));
}

/** A field of a soul in words: "identity.agent_type" is "Agent type". */
export function fieldInWords(field: string): string {
  return inWords(field.slice(field.indexOf(".") + 1));
}
