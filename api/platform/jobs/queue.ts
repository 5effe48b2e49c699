import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Clock } from "pg-boss";
import { fromDrizzle, PgBoss, systemClock } from "pg-boss";
import type { Logger } from "pino";
import { listParameter } from "../database/array-parameter.ts";
import type { Executor } from "../database/connect.ts";
import { redactText } from "../log/log.ts";
import { currentTrace } from "../tracing/spans.ts";
import type { JobQueue, SentJob } from "./ports.ts";
import type { JobRule } from "./rules.ts";

/**
 * Time as jobs see it, timers included: the process's and the database's at once. A test gives
 * pg-boss's `TestClock`.
 */
export type JobClock = Clock;

/** The schema of the queue's tables. */
const JOBS_SCHEMA = "jobs";

/**
 * Holds a copy of every job that failed for good, with its last error, until an operator handles
 * it.
 */
export const DEAD_LETTERS = "dead-letters";

/**
 * A worker silent for this long is dead, and its job goes to another. pg-boss allows at least 10.
 */
const HEARTBEAT_SECONDS = 20;
/** How often workers check for such jobs, which also bounds the wait. */
const SUPERVISE_SECONDS = 10;

/** Of this process, beside one that listens for new jobs. */
const MAX_CONNECTIONS = 5;

const DAY_SECONDS = 24 * 60 * 60;
/** Waiting jobs and unhandled dead letters are deleted after this time. */
const KEPT_WAITING_SECONDS = 90 * DAY_SECONDS;
/**
 * Completed jobs are kept for inspection; recurring ones for a shorter time, because there are
 * many.
 */
const KEPT_SECONDS = 7 * DAY_SECONDS;
const KEPT_RECURRING_SECONDS = 15 * 60;

export interface JobsOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Every kind of job that may be enqueued, by name. */
  readonly rules: Readonly<Record<string, JobRule>>;
  /** Default: the time. */
  readonly clock?: JobClock | undefined;
  /** "send" when this process runs no jobs: other processes then supervise dead workers. */
  readonly purpose: "send" | "work";
}

/** An open connection to the queue. */
export interface Jobs extends JobQueue {
  readonly boss: PgBoss;
  readonly clock: JobClock;
  readonly rules: Readonly<Record<string, JobRule>>;
  /**
   * Stops taking jobs, waits for running ones at most `graceMs` milliseconds (at least a second),
   * then aborts them: they are retried. Safe to call twice.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens the queue, with its tables and one queue for each rule. Several processes may do so at once.
 *
 * @throws when Postgres does not answer.
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { databaseUrl, log, rules, purpose, clock = systemClock } = options;
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "agent-identity-jobs",
    max: MAX_CONNECTIONS,
    schema: JOBS_SCHEMA,
    clock,
    // Recurring work has its own schedule, which enqueues in a transaction: pg-boss's has minutes
    // as its unit.
    schedule: false,
    supervise: purpose === "work",
    useListenNotify: purpose === "work",
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on("error", (error) => log.warn({ err: asError(error) }, "the job queue had a failure"));
  boss.on("warning", ({ message }) => log.warn({ warning: message }, "the job queue warns"));
  try {
    await boss.start();
    await createQueues(boss, rules);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }

  async function sendAll(
    transaction: Executor,
    name: string,
    sent: readonly SentJob[],
  ): Promise<void> {
    if (!Object.hasOwn(rules, name)) throw new Error(`There is no job named ${name}.`);
    if (sent.length === 0) return;
    const traceparent = currentTrace();
    const inserted = sent.map(({ data, options }) => ({
      data: traceparent === null ? data : { ...data, traceparent },
      // The queues reject a second waiting job with one key: jobs without a key need distinct
      // ones.
      singletonKey: options?.singletonKey ?? randomUUID(),
      // Seconds from now.
      startAfter: options?.startAfter ?? 0,
    }));
    await boss.insert(name, inserted, { db: fromDrizzle(transaction, sql) });
  }

  return {
    boss,
    clock,
    rules,
    send: (transaction, name, data, options) =>
      sendAll(transaction, name, [{ data, options: options ?? {} }]),
    sendAll,

    async postpone(transaction, name, singletonKeys, until) {
      const { rows } = await transaction.execute<{ singleton_key: string }>(sql`
        update ${JOB_TABLE} set start_after = ${until} where ${isWaiting(name, singletonKeys)}
        returning singleton_key`);
      return new Set(rows.map(({ singleton_key }) => singleton_key));
    },

    async withdraw(transaction, name, singletonKeys) {
      await transaction.execute(sql`
        delete from ${JOB_TABLE} where ${isWaiting(name, singletonKeys)}`);
    },

    close: (graceMs) => boss.stop({ graceful: true, timeout: graceMs }),
  };
}

const JOB_TABLE = sql`${sql.identifier(JOBS_SCHEMA)}.job`;

/** In the terms of the index that makes the keys of waiting jobs unique. */
const isWaiting = (name: string, singletonKeys: readonly string[]) =>
  sql`name = ${name} and state = 'created' and policy = 'short'
    and coalesce(singleton_key, '') = any(${listParameter(singletonKeys, "text")})`;

async function createQueues(boss: PgBoss, rules: JobsOptions["rules"]): Promise<void> {
  await boss.createQueue(DEAD_LETTERS);
  await boss.updateQueue(DEAD_LETTERS, { retentionSeconds: KEPT_WAITING_SECONDS });
  for (const [name, { retry, everySeconds, maxSeconds }] of Object.entries(rules)) {
    const isRecurring = everySeconds !== null;
    // A policy cannot be changed later, so all have the one that honours singleton keys.
    await boss.createQueue(name, { policy: "short" });
    await boss.updateQueue(name, {
      retryLimit: retry.limit,
      retryDelay: retry.firstDelaySeconds,
      retryBackoff: retry.limit > 0,
      ...(retry.limit > 0 && { retryDelayMax: retry.maxDelaySeconds }),
      expireInSeconds: maxSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: KEPT_WAITING_SECONDS,
      deleteAfterSeconds: isRecurring ? KEPT_RECURRING_SECONDS : KEPT_SECONDS,
      ...(!isRecurring && { deadLetter: DEAD_LETTERS }),
      notify: true,
    });
  }
}

/** pg-boss passes copies of errors, which are not Error objects. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { message } = (error ?? {}) as { message?: unknown };
  return new Error(redactText(typeof message === "string" ? message : String(error)));
}
