import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../errors.ts";

/**
 * The answer of `read`, or CHAIN_UNAVAILABLE when it fails or takes longer than `timeoutMs` milliseconds. For reads that do not
 * revert, whatever a caller asks for: with them every failure is the node's.
 */
export async function chainAnswer<T>(timeoutMs: number, read: () => Promise<T>): Promise<T> {
  const bound = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: bound.signal }).then(() => {
    throw new Error(`The node did not answer within ${timeoutMs} ms.`);
  });
  try {
    return await Promise.race([read(), timeout]);
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError("CHAIN_UNAVAILABLE", { cause });
  } finally {
    bound.abort();
    timeout.catch(() => {
      // Aborted, or already raised above.
    });
  }
}
