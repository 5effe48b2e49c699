/** Retries of a failed job before it becomes a dead letter. */
export interface RetryRule {
  /** Attempts after the first. */
  readonly limit: number;
  /** The delay before the first retry; it about doubles with each further retry. */
  readonly firstDelaySeconds: number;
  readonly maxDelaySeconds: number;
}

/** Static properties of a kind of job. */
export interface JobRule {
  /** Seconds between two runs of recurring work; null for work that runs only when enqueued. */
  readonly everySeconds: number | null;
  /**
   * Its arguments: `ids` of its subject, or nothing, so that an operator may run it at any time.
   */
  readonly sentWith: "ids" | "nothing";
  readonly retry: RetryRule;
  /** How many of them one process runs at once. */
  readonly concurrency: number;
  /** Time limit of one attempt. After it the attempt has failed, even if it still runs. */
  readonly maxSeconds: number;
}

/** The next round is the retry, so a failed round leaves no dead letter. */
const NEXT_ROUND: RetryRule = { limit: 0, firstDelaySeconds: 0, maxDelaySeconds: 0 };

/** Covers a node that is down for a day: 10 s, 20 s, … then every half hour. */
const A_DAY: RetryRule = { limit: 52, firstDelaySeconds: 10, maxDelaySeconds: 1800 };

/**
 * Recurring work. It may overlap with itself, on another process or after a crash, so it must be
 * idempotent.
 */
export const recurring = (everySeconds: number, maxSeconds: number): JobRule => ({
  everySeconds,
  sentWith: "nothing",
  retry: NEXT_ROUND,
  concurrency: 1,
  maxSeconds,
});

/** Work that runs when enqueued: failures are retried, and end as a dead letter. */
export function jobWithIds(concurrency: number, maxSeconds: number): JobRule {
  return { everySeconds: null, sentWith: "ids", retry: A_DAY, concurrency, maxSeconds };
}

/** As {@link jobWithIds}, for work that finds its subjects itself. */
export function jobWithoutArguments(maxSeconds: number): JobRule {
  return { everySeconds: null, sentWith: "nothing", retry: A_DAY, concurrency: 1, maxSeconds };
}

/** Kinds of jobs by name. */
export type JobRules = Readonly<Record<string, JobRule>>;
