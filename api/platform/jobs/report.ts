import { sql } from "drizzle-orm";
import type { Executor } from "../database/connect.ts";
import { DEAD_LETTERS } from "./queue.ts";

/** Jobs of one kind in one state. */
export interface QueueDepth {
  readonly queue: string;
  /**
   * `waiting` for its turn or its time, `retry` after a failure, `active`, or `failed` for good.
   */
  readonly state: "waiting" | "retry" | "active" | "failed";
  readonly jobs: number;
}

/** A job that failed and has not succeeded since. */
export interface FailedJob {
  readonly id: string;
  /** Its kind of job, also for a dead letter. */
  readonly queue: string;
  /** Whether it will be retried automatically. */
  readonly state: "retry" | "dead";
  readonly data: unknown;
  /** Failed attempts. */
  readonly tries: number;
  readonly lastError: string;
  readonly failedAt: Date;
  /** Time of the next retry; null for a dead letter. */
  readonly nextTry: Date | null;
}

/** Unfinished jobs of every queue, by state. An empty queue has a row of 0 waiting. */
export async function queueDepth(db: Executor): Promise<readonly QueueDepth[]> {
  const { rows } = await db.execute<{
    queue: string;
    state: QueueDepth["state"];
    jobs: number;
  }>(sql`
    select queue.name as queue,
      case job.state when 'created' then 'waiting' else coalesce(job.state::text, 'waiting') end as state,
      count(job.id)::int as jobs
    from jobs.queue
    left join jobs.job on job.name = queue.name and job.state not in ('completed', 'cancelled')
    group by 1, 2 order by 1, 2`);
  return rows;
}

/**
 * How long the oldest due job of each queue has waited for a worker, in seconds: 0 without one.
 *
 * @param now By the queue's clock.
 */
export async function queueAges(
  db: Executor,
  now: Date,
): Promise<readonly { readonly queue: string; readonly seconds: number }[]> {
  const { rows } = await db.execute<{ queue: string; seconds: number }>(sql`
    select queue.name as queue,
      coalesce(extract(epoch from ${now}::timestamptz - min(job.start_after)), 0)::float8 as seconds
    from jobs.queue
    left join jobs.job on job.name = queue.name
      and job.state in ('created', 'retry') and job.start_after <= ${now}
    where queue.name <> ${DEAD_LETTERS}
    group by 1 order by 1`);
  return rows;
}

/** Dead letters first, then jobs being retried, latest failure first. */
export async function failedJobs(db: Executor, limit: number): Promise<readonly FailedJob[]> {
  const { rows } = await db.execute<{
    id: string;
    queue: string;
    state: FailedJob["state"];
    data: unknown;
    tries: number;
    error: string | null;
    failed_at: string | Date;
    next_try: string | Date | null;
  }>(sql`
    select id, coalesce(source_name, name) as queue,
      case when name = ${DEAD_LETTERS} then 'dead' else 'retry' end as state, data,
      coalesce(source_retry_count, retry_count) + 1 as tries,
      coalesce(output ->> 'message', output ->> 'value') as error,
      case when name = ${DEAD_LETTERS} then created_on else coalesce(completed_on, started_on) end as failed_at,
      case when name = ${DEAD_LETTERS} then null else start_after end as next_try
    from jobs.job
    where (name = ${DEAD_LETTERS} and state = 'created') or state = 'retry'
    order by 3, 7 desc limit ${limit}`);
  return rows.map(({ error, failed_at, next_try, ...row }) => ({
    ...row,
    lastError: error ?? "The process that ran it ended.",
    failedAt: new Date(failed_at),
    nextTry: next_try === null ? null : new Date(next_try),
  }));
}
