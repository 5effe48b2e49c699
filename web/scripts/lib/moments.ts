import { visibleText } from "../../../protocol/visible-text.ts";

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
