const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Wait before each try after the first. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  12 * HOUR_MS,
];

/** Largest share of a wait that is added to it. */
const MAX_JITTER = 0.1;

/**
 * Milliseconds to wait after the try number `failures` failed; null when it was the last one. A retry is never early, and up to
 * 10 % late, so that the retries for one receiver do not arrive at the same instant.
 *
 * @param random in [0, 1), as `Math.random`.
 */
export function retryDelay(failures: number, random: () => number): number | null {
  const delay = RETRY_DELAYS_MS[failures - 1];
  return delay === undefined ? null : Math.floor(delay * (1 + MAX_JITTER * random()));
}
