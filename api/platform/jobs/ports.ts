/** What a job is told. Ids only: a job reads what they stand for when it runs, and nothing private rests in a queue. */
export type JobData = Readonly<Record<string, string | number>>;

export interface JobOptions {
  /** Not before this time. At once when left out. */
  readonly startAfter?: Date;
  /** At most one waiting job of a name has this key. */
  readonly singletonKey?: string;
}

/**
 * Puts work into the queue within the transaction that makes it necessary: both are there afterwards or neither is.
 *
 * @typeParam Transaction what the database module calls a transaction; stores pass on what they hold.
 */
export interface JobQueue<Transaction> {
  send(transaction: Transaction, name: string, data: JobData, options?: JobOptions): Promise<void>;
}

/** Does the work of one job. A rejection means: again later. It may run twice, so what it does must be safe to repeat. */
export type JobHandler = (data: JobData, signal: AbortSignal) => Promise<void>;
