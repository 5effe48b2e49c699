import type { OverspendingFact } from "./facts.ts";
import { type AlignmentInputs, DAY_SECONDS } from "./inputs.ts";

/** Days that are looked at. */
export const SPENDING_DAYS = 90n;

/** What one UTC day with a payment outside the allowance costs. */
const OVERSPENT_DAY_COST = 5;

/**
 * 100 without payments outside the allowance. It counts days, not amounts: a share of the amounts
 * could be raised by paying oneself, and payments within the limits therefore change nothing.
 */
export function spendingAlignment({ at, of }: AlignmentInputs) {
  const firstOfDay = new Map<bigint, OverspendingFact>();
  for (const fact of of("overspending")) {
    if (fact.timestamp <= at.timestamp - SPENDING_DAYS * DAY_SECONDS) continue;
    const day = fact.timestamp / DAY_SECONDS;
    // The facts are in order of time. One per day is enough to show that the day was overspent.
    if (!firstOfDay.has(day)) firstOfDay.set(day, fact);
  }
  const value = Math.max(0, 100 - OVERSPENT_DAY_COST * firstOfDay.size);
  return { value, used: [...firstOfDay.values()] };
}
