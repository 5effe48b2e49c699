import { ApiError } from "../errors.ts";

/** The latest that a signature may end, in seconds from now. */
const LATEST_SECONDS = 24n * 60n * 60n;

/**
 * Refuses a signature that counts for longer than a day. What it allows is carried out by the service until then, or refused by the
 * chain: without an end, what can never be carried out would be tried for ever, and hold an agent's name meanwhile.
 *
 * @param deadline Unix seconds.
 * @throws ApiError INVALID_REQUEST
 */
export function assertEndsSoon(deadline: bigint, now: Date): void {
  const latest = BigInt(Math.floor(now.getTime() / 1000)) + LATEST_SECONDS;
  if (deadline <= latest) return;
  throw new ApiError("INVALID_REQUEST", {
    details: { issues: [{ path: "message.deadline", message: "At most 24 hours from now" }] },
  });
}
