const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Text for XML 1.0: carriage returns would be read as line feeds, other control characters and lone
 * surrogates not at all. Also for an attribute in double quotes.
 */
export function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
}
