import type { AlignmentInputs } from "./inputs.ts";

/** Most that missed requests of owners with a human attestation cost. */
const HUMAN_REQUESTS_COST = 60;

/** Most that missed requests of all other owners cost together: they can be one person. */
const OTHER_REQUESTS_COST = 20;

/** With fewer requesters than this, each missed one costs as if there were so many. */
const FEWEST_REQUESTERS = 5;

const BEYOND_POLICY_COST = 20;

/**
 * 100 while every disclosure request is answered in time, and no disclosure went beyond the
 * policy. Each requesting owner counts once, so that many requests of one owner cost no more.
 */
export function policyCompliance({ count }: AlignmentInputs) {
  const requests = count("requests");
  const { humanVerified, others, beyondPolicy } = requests;
  const humans = BigInt(Math.max(humanVerified.asked, FEWEST_REQUESTERS));
  const strangers = BigInt(Math.max(others.asked, FEWEST_REQUESTERS));
  const whole = humans * strangers;
  const left =
    BigInt(100 - BEYOND_POLICY_COST * Math.min(beyondPolicy, 5)) * whole -
    BigInt(HUMAN_REQUESTS_COST * humanVerified.missed) * strangers -
    BigInt(OTHER_REQUESTS_COST * others.missed) * humans;
  const value = left <= 0n ? 0 : Number((2n * left + whole) / (2n * whole));
  return { value, used: [requests] };
}
