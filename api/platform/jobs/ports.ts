import type { Transaction } from "../database/transaction.ts";
/**
 * A job's arguments. Ids only: the job reads the data when it runs, and the queue holds nothing
 * private. The queue adds the trace that enqueued it, as `traceparent`, and takes it off again.
 */
export type JobData = Readonly<Record<string, string | number>>;

export interface JobOptions {
  /** Not before this time. At once when left out. */
  readonly startAfter?: Date;
  /** At most one waiting job of a name has this key. */
  readonly singletonKey?: string;
}

/**
 * Enqueues work within the transaction that makes it necessary: both are committed or neither is.
 *
 * @typeParam Transaction the database module's transaction type.
 */
export interface JobQueue {
  send(transaction: Transaction, name: string, data: JobData, options?: JobOptions): Promise<void>;
  /** As many of one name, in one statement. */
  sendAll(transaction: Transaction, name: string, jobs: readonly SentJob[]): Promise<void>;
  /** The waiting jobs with these keys do not begin before `until`. Resolves to the keys of those. */
  postpone(
    transaction: Transaction,
    name: string,
    singletonKeys: readonly string[],
    until: Date,
  ): Promise<ReadonlySet<string>>;
  /** Removes the waiting jobs with these keys. */
  withdraw(transaction: Transaction, name: string, singletonKeys: readonly string[]): Promise<void>;
}

/** One of several jobs that are enqueued together. */
export interface SentJob {
  readonly data: JobData;
  readonly options?: JobOptions;
}

/** Runs one job. A rejection means: retry later. It may run twice, so it must be idempotent. */
export type JobHandler = (data: JobData, signal: AbortSignal) => Promise<void>;
