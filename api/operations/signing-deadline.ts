import { ApiError } from "../kernel/errors.ts";

/** How long an owner has to sign, in seconds. */
const SIGNING_SECONDS = 15n * 60n;
/** The latest that a signature may end, in seconds from now. */
const LATEST_SECONDS = 24n * 60n * 60n;

/** Rounded down, as in a leaf and as contracts compare it. */
export function unixSeconds(time: Date): bigint {
  return BigInt(Math.floor(time.getTime() / 1000));
}

/** The deadline of a message that is prepared now: Unix seconds. */
export function signingDeadline(now: Date): bigint {
  return unixSeconds(now) + SIGNING_SECONDS;
}

/** @param deadline Unix seconds, inclusive. @throws ApiError NONCE_EXPIRED */
export function assertNotOver(deadline: bigint, now: Date): void {
  if (deadline >= unixSeconds(now)) return;
  throw new ApiError("NONCE_EXPIRED", { message: "The deadline of this signature has passed." });
}

/**
 * Refuses a signature that counts for longer than a day. What it allows is carried out by the service until then, or refused by the
 * chain: without an end, what can never be carried out would be tried for ever, and hold an agent's name meanwhile.
 *
 * @param deadline Unix seconds.
 * @throws ApiError INVALID_REQUEST
 */
export function assertEndsSoon(deadline: bigint, now: Date): void {
  if (deadline <= unixSeconds(now) + LATEST_SECONDS) return;
  throw new ApiError("INVALID_REQUEST", {
    details: { issues: [{ path: "message.deadline", message: "At most 24 hours from now" }] },
  });
}
