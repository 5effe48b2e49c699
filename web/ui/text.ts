import { visibleText } from "../../protocol/visible-text.ts";

export { visibleText };

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
