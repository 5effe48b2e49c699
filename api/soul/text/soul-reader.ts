import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { Piscina } from "piscina";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { SoulReader, SoulTaskInput, SoulTasks } from "./soul-tasks.ts";
import type { WorkerAnswer, WorkerStarted, WorkerTask } from "./worker.ts";

export interface ParsingLimits {
  /** Most texts that are read at once. */
  readonly threads: number;
  /** Longest time for one text, in milliseconds, from the moment that a thread begins to read it. */
  readonly timeoutMs: number;
  /** Most texts that wait for a thread. */
  readonly queue: number;
}

const IS_BUILT = import.meta.url.endsWith(".js");
const WORKER = fileURLToPath(new URL(IS_BUILT ? "./worker.js" : "./worker.ts", import.meta.url));
/**
 * Threads do not inherit the loader when it was not given on the command line. What
 * `npm run build:service` wrote needs none.
 */
const LOADER = IS_BUILT
  ? []
  : ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href];
/** Far above what the largest source needs. */
const WORKER_MEGABYTES = 256;
const IDLE_MS = 60_000;
/** Seconds until the queue has a free place again. */
const RETRY_SECONDS = 1;

/**
 * Reads private texts in worker threads. A text that takes too long ends its thread, and a new one takes its place. Neither texts
 * nor messages that could quote them are logged.
 */
export function createSoulReader(
  { threads, timeoutMs, queue }: ParsingLimits,
  log: Pick<Logger, "warn">,
): SoulReader & { close(): Promise<void> } {
  const pool = new Piscina<WorkerTask, WorkerAnswer>({
    filename: WORKER,
    execArgv: LOADER,
    // Threads need no configuration, and so no secret of the service either.
    env: {},
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES },
  });
  const onStart = new Map<number, () => void>();
  pool.on("message", ({ started }: WorkerStarted) => onStart.get(started)?.());
  pool.on("error", (error: Error) =>
    log.warn({ errorName: error.name }, "a parsing thread failed"),
  );
  let tasks = 0;
  let unanswered = 0;

  return {
    async run<Task extends keyof SoulTasks>(
      task: Task,
      input: SoulTaskInput<Task>,
      part: string,
    ): Promise<ReturnType<SoulTasks[Task]>> {
      // Counted here: the pool's own bound leaves out tasks that can be aborted.
      if (unanswered >= threads + queue) throw busy();
      unanswered += 1;
      tasks += 1;
      const id = tasks;
      const overtime = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      onStart.set(id, () => {
        timer = setTimeout(() => overtime.abort(), timeoutMs);
      });
      try {
        const answer = await pool.run({ id, task, input }, { signal: overtime.signal });
        if ("value" in answer) return answer.value as ReturnType<SoulTasks[Task]>;
        if ("failure" in answer) throw new Error(`A parsing thread failed: ${answer.failure}.`);
        const { type, message, details } = answer.refusal;
        throw new ApiError(type, details === undefined ? { message } : { message, details });
      } catch (error) {
        if (overtime.signal.aborted || codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY") {
          throw tooMuch(part);
        }
        throw error;
      } finally {
        unanswered -= 1;
        onStart.delete(id);
        clearTimeout(timer);
      }
    },
    close: () => pool.destroy(),
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function tooMuch(path: string): ApiError {
  const message = "It takes too long to read. Simplify or shorten it.";
  return badRequest(path, message);
}

function busy(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", {
    message: "Too many texts are being read. Retry after a moment.",
    retryAfter: RETRY_SECONDS,
  });
}
