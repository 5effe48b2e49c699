import { setTimeout } from "node:timers/promises";
import type { Worker } from "node:worker_threads";

/**
 * Resolves when the thread has used so much more processor time than now: on a busy machine it gets
 * little of it. Rejects when the thread or `ended` ends before.
 */
export async function afterProcessorTime(
  thread: Worker,
  limitMs: number,
  ended: AbortSignal,
): Promise<void> {
  const before = await timeUsed(thread);
  // A thread cannot use processor time faster than time passes.
  for (let left = limitMs; left > 0; left = limitMs - ((await timeUsed(thread)) - before)) {
    await setTimeout(Math.ceil(left), undefined, { signal: ended });
  }
  ended.throwIfAborted();
}

/** Milliseconds of processor time. Before Node 24.6 no thread can read another's: there all time counts. */
async function timeUsed(thread: Worker): Promise<number> {
  if (!("cpuUsage" in thread)) return performance.now();
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
}
