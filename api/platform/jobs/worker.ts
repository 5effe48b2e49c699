import type { Logger } from "pino";
import { ApiError } from "../../kernel/errors.ts";
import { isWithoutViews } from "../../soul/index-views.store.ts";
import type { Database } from "../database/connect.ts";
import { redactText } from "../log/log.ts";
import { currentTraceId, runInSpan, type Span, type Tracing } from "../tracing/spans.ts";
import type { JobData, JobHandler } from "./ports.ts";
import type { Jobs } from "./queue.ts";
import type { JobRules } from "./rules.ts";
import { startSchedule } from "./schedule.ts";

/**
 * Polling interval of a worker; it is notified of jobs that can run at once, where the connection
 * allows it.
 */
const LOOKING = {
  includeMetadata: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
} as const;

/** The outcome of one attempt. */
export type JobOutcome = "done" | "failed";

export interface WorkerOptions {
  readonly jobs: Jobs;
  readonly db: Database;
  /** One for every rule of the queue. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  readonly log: Logger;
  /** Null or absent traces nothing. */
  readonly tracing?: Tracing | null | undefined;
  readonly observe?: (name: string, outcome: JobOutcome) => void;
}

export interface JobWorker {
  /**
   * Stops taking jobs, and waits for running ones as the queue's `close` does. Closes the queue.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Runs jobs in this process, and enqueues recurring ones. Each job runs on one process at a time
 * until it is done. A failed, slow or lost attempt is retried; after the last one it becomes a dead
 * letter.
 *
 * @throws Error when a rule has no handler, or a handler no rule.
 */
export async function startWorker(options: WorkerOptions): Promise<JobWorker> {
  const { jobs, db, handlers, log, tracing, observe } = options;
  assertSameNames(jobs.rules, handlers);
  const firstRounds = createFirstRounds(jobs.rules, log);

  /** The part of the job's trace that is this attempt. */
  function begin(name: string, job: RunningJob, of: unknown): Span | undefined {
    if (typeof of !== "string" && jobs.rules[name]?.everySeconds !== null) return tracing?.quiet();
    return tracing?.begin(`job ${name}`, {
      kind: "consumer",
      of: typeof of === "string" ? of : null,
      attributes: { "svc.job.id": job.id, "svc.job.retries": job.retryCount },
    });
  }

  async function run(name: string, handler: JobHandler, job: RunningJob): Promise<void> {
    const { traceparent, ...data } = job.data;
    const span = begin(name, job, traceparent);
    const work = () => attempt(name, handler, { ...job, data });
    await (span === undefined ? work() : runInSpan(span, work));
  }

  async function attempt(name: string, handler: JobHandler, job: RunningJob): Promise<void> {
    try {
      await handler(job.data, job.signal);
      firstRounds.done(name);
      observe?.(name, "done");
    } catch (error) {
      if (firstRounds.areBeforeIndex(name, error)) return;
      observe?.(name, "failed");
      const { id: jobId, retryCount, retryLimit } = job;
      const follows = retryCount < retryLimit ? "it will be tried again" : "it was the last try";
      const traceId = currentTraceId();
      log.warn({ err: error, job: name, jobId, traceId }, `a job failed; ${follows}`);
      throw keptError(error);
    }
  }

  for (const [name, handler] of Object.entries(handlers)) {
    const { concurrency } = jobs.rules[name] ?? { concurrency: 1 };
    for (let index = 0; index < concurrency; index += 1) {
      let workerId: string | undefined;
      workerId = await jobs.boss.work<JobData, void, typeof LOOKING>(
        name,
        LOOKING,
        async ([job]) => {
          if (!job) return;
          // After one job there may be more: poll again at once, without the usual pause.
          if (workerId !== undefined) jobs.boss.notifyWorker(workerId);
          await run(name, handler, job);
        },
      );
    }
  }
  const schedule = await startSchedule(db, jobs, log);

  return {
    async stop(graceMs) {
      await schedule.stop();
      await jobs.close(graceMs);
    },
  };
}

/**
 * The index has no views until the indexer has caught up for the first time. A recurring job that
 * reads them earlier ends without a failure: its next round does the work. Once a job was done,
 * missing views are a failure like any other.
 */
function createFirstRounds(rules: JobRules, log: Logger) {
  const doneJobs = new Set<string>();
  let isLogged = false;
  return {
    done(name: string): void {
      doneJobs.add(name);
    },

    /** Logs the first such round of the process. */
    areBeforeIndex(name: string, error: unknown): boolean {
      const isRecurring = typeof rules[name]?.everySeconds === "number";
      if (!isRecurring || doneJobs.has(name) || !isWithoutViews(error)) return false;
      if (!isLogged) log.info("the index has no tables yet; recurring jobs that read it wait");
      isLogged = true;
      return true;
    },
  };
}

interface RunningJob {
  readonly id: string;
  readonly data: JobData;
  readonly signal: AbortSignal;
  readonly retryCount: number;
  readonly retryLimit: number;
}

function assertSameNames(rules: object, handlers: object): void {
  const names = (table: object) => Object.keys(table).sort().join(", ");
  if (names(rules) !== names(handlers)) {
    throw new Error(`Jobs are [${names(rules)}], but handlers [${names(handlers)}].`);
  }
}

/** Enough for the wrappers of a node's or a contract's answer. */
const MAX_CAUSES = 6;

/** The part of a failure that is stored with its job, for operators: messages without secrets. */
function keptError(error: unknown): Error {
  const messages: string[] = [];
  let link = error;
  while (link !== undefined && link !== null && messages.length < MAX_CAUSES) {
    const type = link instanceof ApiError ? `${link.type}: ` : "";
    const message = link instanceof Error ? link.message : String(link);
    // viem appends the request and its version, line by line.
    messages.push(`${type}${message.split("\n")[0]}`);
    link = link instanceof Error ? link.cause : undefined;
  }
  const reported = new Error(redactText(messages.join(" <- ")));
  delete reported.stack;
  return reported;
}
