/** Failed tries in a row after which the owner is notified. */
export const NOTIFY_AFTER = 3;

/** Failed tries in a row after which a webhook may be disabled. */
export const DISABLE_AFTER = 5;

/** The tries of a webhook that failed since the last one that succeeded. */
export interface FailureStreak {
  /** Their deliveries, the latest last; only the last `DISABLE_AFTER` of them. */
  readonly failedTries: readonly string[];
  /** Start of the first failure. Null without one. */
  readonly failingSince: Date | null;
}

export const NO_FAILURES: FailureStreak = { failedTries: [], failingSince: null };

/** The part of an ended try that the streak needs. */
export interface EndedTry {
  readonly deliveryId: string;
  readonly startedAt: Date;
  readonly succeeded: boolean;
  /** Its delivery has no retry left. */
  readonly isLast: boolean;
}

/**
 * The streak after a try, and its consequence, at most once in a streak: `notify` at the third
 * failure; `disable` when the last five tries failed and they are of at least two deliveries, or
 * the delivery has used up its retries. So one event that a receiver cannot process disables the
 * webhook only after all of its retries.
 */
export function streakAfter(
  streak: FailureStreak,
  ended: EndedTry,
): { readonly streak: FailureStreak; readonly followUp: "notify" | "disable" | null } {
  if (ended.succeeded) return { streak: NO_FAILURES, followUp: null };
  const failedTries = [...streak.failedTries, ended.deliveryId].slice(-DISABLE_AFTER);
  const next = { failedTries, failingSince: streak.failingSince ?? ended.startedAt };
  if (failedTries.length === DISABLE_AFTER) {
    const isDisabled = ended.isLast || new Set(failedTries).size > 1;
    return { streak: next, followUp: isDisabled ? "disable" : null };
  }
  return { streak: next, followUp: failedTries.length === NOTIFY_AFTER ? "notify" : null };
}
