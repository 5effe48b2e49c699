import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { Piscina } from "piscina";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { afterProcessorTime } from "./processor-time.ts";
import type { SoulReader, SoulTaskInput, SoulTasks } from "./soul-tasks.ts";
import { createTurns } from "./turns.ts";
import type { WorkerAnswer, WorkerStarted, WorkerTask } from "./worker.ts";

export interface ParsingLimits {
  /** Most texts that are read at once. */
  readonly threads: number;
  /** Most processor time for one text, in milliseconds. */
  readonly timeoutMs: number;
  /** Most texts that wait for a thread. */
  readonly queue: number;
  /** Longest time that a text waits for a thread, in milliseconds. */
  readonly waitMs: number;
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
/** Seconds until a caller that was refused may be accepted. */
const RETRY_SECONDS = 1;

/**
 * Reads private texts in worker threads, one at a time of each caller. A text that takes too long ends its thread; a spare one is
 * ready while the next starts. Neither texts nor messages that could quote them are logged.
 */
export function createSoulReader(
  { threads, timeoutMs, queue, waitMs }: ParsingLimits,
  log: Pick<Logger, "warn">,
): SoulReader & { close(): Promise<void> } {
  const pool = new Piscina<WorkerTask, WorkerAnswer>({
    filename: WORKER,
    execArgv: LOADER,
    // Threads need no configuration, and so no secret of the service either.
    env: {},
    minThreads: threads + 1,
    maxThreads: threads + 1,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES },
  });
  const turns = createTurns({ atOnce: threads, places: queue, waitMs }, busy);
  const onStart = new Map<number, (threadId: number) => void>();
  pool.on("message", ({ started, threadId }: WorkerStarted) => onStart.get(started)?.(threadId));
  pool.on("error", (error: Error) =>
    log.warn({ errorName: error.name }, "a parsing thread failed"),
  );
  let tasks = 0;

  async function read<Task extends keyof SoulTasks>(
    task: Task,
    input: SoulTaskInput<Task>,
    part: string,
  ): Promise<ReturnType<SoulTasks[Task]>> {
    tasks += 1;
    const id = tasks;
    const overtime = new AbortController();
    const ended = new AbortController();
    onStart.set(id, (threadId) => {
      const thread = pool.threads.find((one) => one.threadId === threadId);
      if (thread === undefined) return;
      // It rejects when the text or its thread has ended.
      afterProcessorTime(thread, timeoutMs, ended.signal).then(
        () => overtime.abort(),
        () => {},
      );
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
      onStart.delete(id);
      ended.abort();
    }
  }

  return {
    run: (task, input, { part, caller }) => turns.run(caller, () => read(task, input, part)),
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
