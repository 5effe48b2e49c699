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

/**
 * A moment in UTC, such as "31 January 2026 at 12:00 UTC".
 *
 * @param moment as in JSON, or in milliseconds. What is no date stays as it is.
 */
export function momentText(moment: string | number): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? visibleText(String(moment)) : `${MOMENT.format(at)} UTC`;
}

/** A sentence that was made for programs, with its times as people read them. */
export function withMoments(sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, momentText);
}

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A wait in words, such as "about 6 hours". */
export function waitText(seconds: number): string {
  if (seconds < 2 * MINUTE) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  if (seconds < 2 * HOUR) return `about ${Math.ceil(seconds / MINUTE)} minutes`;
  return `about ${Math.ceil(seconds / HOUR)} hours`;
}
