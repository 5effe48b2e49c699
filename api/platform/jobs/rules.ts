/** How often a job that failed is tried again before it is a dead letter. */
export interface RetryRule {
  /** Tries after the first. */
  readonly limit: number;
  /** The wait before the first of them; each one after it waits about twice as long. */
  readonly firstDelaySeconds: number;
  readonly maxDelaySeconds: number;
}

/** What is known of a kind of job before any of it runs. */
export interface JobRule {
  /** Seconds between two runs of work that comes round by itself; null for what only runs when it is sent. */
  readonly everySeconds: number | null;
  /** What it is sent with: `ids` of what it is about, or nothing, so that anybody may have it done at any time. */
  readonly sentWith: "ids" | "nothing";
  readonly retry: RetryRule;
  /** How many of it one process runs at once. */
  readonly concurrency: number;
  /** One try may take so long. Then it has failed, whether it goes on or not. */
  readonly maxSeconds: number;
}

/** Its next round is its retry, and nobody has to look after a round that failed: it leaves no dead letter. */
const NEXT_ROUND: RetryRule = { limit: 0, firstDelaySeconds: 0, maxDelaySeconds: 0 };

/** Long enough for a node that is down for a day: 10 s, 20 s, … then every half hour. */
const A_DAY: RetryRule = { limit: 52, firstDelaySeconds: 10, maxDelaySeconds: 1800 };

/**
 * Work that comes round. It may overlap with itself, on another process or after a crash: what it does must be safe to do
 * twice.
 */
export const recurring = (everySeconds: number, maxSeconds: number): JobRule => ({
  everySeconds,
  sentWith: "nothing",
  retry: NEXT_ROUND,
  concurrency: 1,
  maxSeconds,
});

/** Work that runs when it is sent: a failure is tried again, and looked after in the end. */
export function aboutIds(concurrency: number, maxSeconds: number): JobRule {
  return { everySeconds: null, sentWith: "ids", retry: A_DAY, concurrency, maxSeconds };
}

/** As {@link aboutIds}, of work that finds out by itself what there is to do. */
export function aboutAll(maxSeconds: number): JobRule {
  return { everySeconds: null, sentWith: "nothing", retry: A_DAY, concurrency: 1, maxSeconds };
}

/** Kinds of jobs by name. */
export type JobRules = Readonly<Record<string, JobRule>>;
