import { parentPort, threadId } from "node:worker_threads";
import { ApiError } from "../../kernel/errors.ts";
import type { SoulTaskInput, SoulTasks } from "./soul-tasks.ts";
import { soulTasks } from "./soul-tasks.ts";

/** One task for a worker. */
export interface WorkerTask<Task extends keyof SoulTasks = keyof SoulTasks> {
  readonly id: number;
  readonly task: Task;
  readonly input: SoulTaskInput<Task>;
}

/** What a worker answers. An error that is not an `ApiError` is only named: its message may quote a private text. */
export type WorkerAnswer =
  | { readonly value: unknown }
  | { readonly refusal: Pick<ApiError, "type" | "message" | "details"> }
  | { readonly failure: string };

/** Sent when a task begins: from then on its thread's time counts. */
export interface WorkerStarted {
  readonly started: number;
  readonly threadId: number;
}

export default function run({ id, task, input }: WorkerTask): WorkerAnswer {
  parentPort?.postMessage({ started: id, threadId } satisfies WorkerStarted);
  try {
    return { value: (soulTasks[task] as (input: unknown) => unknown)(input) };
  } catch (error) {
    if (error instanceof ApiError) {
      const { type, message, details } = error;
      return { refusal: { type, message, details } };
    }
    return { failure: error instanceof Error ? error.name : typeof error };
  }
}
