import { ApiError } from "./api-error.ts";

/** How long, and for what, the client waits. */
export interface WaitOptions<Answer> {
  /** Whether the answer is the awaited one. */
  readonly until: (answer: Answer) => boolean;
  /** Called with each answer, the awaited one included. */
  readonly onProgress?: ((answer: Answer) => void) | undefined;
  /** Milliseconds between two requests; 5,000 by default. */
  readonly intervalMs?: number | undefined;
  /** The most requests; 120 by default, which is ten minutes. */
  readonly maxRequests?: number | undefined;
}

/**
 * Repeats a read until its answer is the awaited one.
 *
 * @throws ApiError STILL_PENDING after the last request.
 */
export async function repeatUntil<Answer>(
  read: () => Promise<Answer>,
  { until, onProgress, intervalMs = 5_000, maxRequests = 120 }: WaitOptions<Answer>,
  { delay, operation }: { delay: (ms: number) => Promise<void>; operation: string },
): Promise<Answer> {
  for (let requests = 1; ; requests += 1) {
    const answer = await read();
    onProgress?.(answer);
    if (until(answer)) return answer;
    if (requests >= maxRequests) {
      throw new ApiError("STILL_PENDING", `Not finished after ${requests} requests.`, {
        operation,
      });
    }
    await delay(intervalMs);
  }
}
