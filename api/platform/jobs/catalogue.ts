import { DERIVE_JOB } from "../../features/chronicles/derived.ts";
import { CHRONICLE_JOBS } from "../../features/chronicles/job-names.ts";
import { ARCHIVE_DOCUMENT_JOB } from "../../features/claims/documents.ts";
import { WEBHOOK_JOBS } from "../../features/webhooks/job-names.ts";
import { STORAGE_JOBS } from "../storage/job-names.ts";

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

const recurring = (everySeconds: number, maxSeconds: number): JobRule => ({
  everySeconds,
  sentWith: "nothing",
  retry: NEXT_ROUND,
  concurrency: 1,
  maxSeconds,
});

/** Work that runs when it is sent: a failure is tried again, and looked after in the end. */
function aboutIds(concurrency: number, maxSeconds: number): JobRule {
  return { everySeconds: null, sentWith: "ids", retry: A_DAY, concurrency, maxSeconds };
}

/** As {@link aboutIds}, of work that finds out by itself what there is to do. */
function aboutAll(maxSeconds: number): JobRule {
  return { everySeconds: null, sentWith: "nothing", retry: A_DAY, concurrency: 1, maxSeconds };
}

/**
 * A delivery schedules its own retries: these are for what is not the receiver's fault, such as a database that is restarted. Of
 * the 16 places of a process one owner has at most four (`PLACES`), so that slow receivers do not delay others.
 */
const DELIVERY = aboutIds(16, 60);

/**
 * Every kind of job. A row here and a handler of the same name in `api/server.ts` are all it takes to have one. Recurring work
 * may overlap with itself, on another process or after a crash: what it does must be safe to do twice.
 */
export const JOBS = {
  "transactions.follow": recurring(30, 300),
  "registrations.finish": recurring(30, 300),
  "registrations.expire": recurring(30, 120),
  "chronicles.finish": recurring(30, 300),
  "operations.finish": recurring(30, 300),
  "answers.forget": recurring(30, 60),
  "api-keys.forget": recurring(30, 60),
  "passports.watch": recurring(2, 120),
  "passports.poll": recurring(60, 120),
  "passport.suspend": aboutIds(2, 180),
  [CHRONICLE_JOBS.batch]: aboutAll(900),
  [CHRONICLE_JOBS.follow]: aboutAll(300),
  [DERIVE_JOB]: aboutIds(2, 60),
  [ARCHIVE_DOCUMENT_JOB]: aboutIds(2, 60),
  [STORAGE_JOBS.settle]: recurring(60, 900),
  [STORAGE_JOBS.look]: recurring(300, 900),
  [WEBHOOK_JOBS.deliver]: DELIVERY,
  [WEBHOOK_JOBS.tellOwner]: aboutIds(1, 60),
  [WEBHOOK_JOBS.sweep]: recurring(60, 120),
} as const satisfies Readonly<Record<string, JobRule>>;

export type JobName = keyof typeof JOBS;
