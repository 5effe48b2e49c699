import { ApiError, badRequest } from "../kernel/errors.ts";

/** How long an owner has to sign, in seconds. */
const SIGNING_SECONDS = 15n * 60n;
const HOUR_MS = 60 * 60 * 1000;
/** The longest time until most signatures expire, in milliseconds. */
const LATEST_MS = 24 * HOUR_MS;

/** Rounded down, as in a leaf and as contracts compare it. */
export function unixSeconds(time: Date): bigint {
  return BigInt(Math.floor(time.getTime() / 1000));
}

/**
 * The deadline of a message that is prepared now: Unix seconds.
 *
 * @param aheadMs How far ahead it is. Default: 15 minutes.
 */
export function signingDeadline(now: Date, aheadMs?: number): bigint {
  const seconds = aheadMs === undefined ? SIGNING_SECONDS : BigInt(Math.floor(aheadMs / 1000));
  return unixSeconds(now) + seconds;
}

/** @param deadline Unix seconds, inclusive. @throws ApiError NONCE_EXPIRED */
export function assertNotOver(deadline: bigint, now: Date): void {
  if (deadline >= unixSeconds(now)) return;
  throw new ApiError("NONCE_EXPIRED", {
    message: "The deadline of this signature has passed. Ask for a new message, and sign that one.",
    details: { reason: "DeadlineExpired", args: { deadline } },
  });
}

/**
 * Refuses a signature whose deadline is too far ahead. The service repeats an accepted operation until its deadline, and the
 * agent's name is locked meanwhile.
 *
 * @param deadline Unix seconds.
 * @param maxAheadMs How far ahead it may be. Default: a day.
 * @throws ApiError INVALID_REQUEST
 */
export function assertEndsSoon(deadline: bigint, now: Date, maxAheadMs = LATEST_MS): void {
  if (deadline <= unixSeconds(now) + BigInt(maxAheadMs / 1000)) return;
  const message = `At most ${maxAheadMs / HOUR_MS} hours from now`;
  throw badRequest("message.deadline", message);
}
