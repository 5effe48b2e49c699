import { CHRONICLE_JOBS } from "../services/chronicle-jobs.ts";
import { WEBHOOK_JOBS } from "../services/webhook-jobs.ts";

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

const recurring = (everySeconds: number, maxSeconds: number): JobRule => ({
  everySeconds,
  retry: NEXT_ROUND,
  concurrency: 1,
  maxSeconds,
});

/** A delivery schedules its own retries: these are for what is not the receiver's fault, such as a database that is restarted. */
const DELIVERY: JobRule = { everySeconds: null, retry: A_DAY, concurrency: 8, maxSeconds: 60 };

/**
 * Every kind of job. A row here and a handler of the same name in `api/server.ts` are all it takes to have one. Recurring work
 * may overlap with itself, on another process or after a crash: what it does must be safe to do twice.
 */
export const JOBS = {
  "transactions.follow": recurring(30, 300),
  "registrations.finish": recurring(30, 300),
  "chronicles.finish": recurring(30, 300),
  "operations.finish": recurring(30, 300),
  "answers.forget": recurring(30, 60),
  "api-keys.forget": recurring(30, 60),
  "passports.watch": recurring(2, 120),
  "passports.poll": recurring(60, 120),
  "passport.suspend": { everySeconds: null, retry: A_DAY, concurrency: 2, maxSeconds: 180 },
  [CHRONICLE_JOBS.batch]: { everySeconds: 3600, retry: A_DAY, concurrency: 1, maxSeconds: 900 },
  [CHRONICLE_JOBS.follow]: { everySeconds: 300, retry: A_DAY, concurrency: 1, maxSeconds: 300 },
  [WEBHOOK_JOBS.deliver]: DELIVERY,
  [WEBHOOK_JOBS.tellOwner]: { everySeconds: null, retry: A_DAY, concurrency: 1, maxSeconds: 60 },
  [WEBHOOK_JOBS.sweep]: recurring(60, 120),
} as const satisfies Readonly<Record<string, JobRule>>;

export type JobName = keyof typeof JOBS;
