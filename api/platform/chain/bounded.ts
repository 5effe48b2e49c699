import { ApiError } from "../../kernel/errors.ts";

/**
 * The answer of `read`, or CHAIN_UNAVAILABLE when it fails or takes longer than `timeoutMs`
 * milliseconds. Only for reads that never revert: then every failure is the node's.
 */
export async function chainAnswer<T>(timeoutMs: number, read: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  // A bare timer: an aborted one would create an error with a stack for every answer in time.
  const bound = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The node did not answer within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([read(), bound]);
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError("CHAIN_UNAVAILABLE", { cause });
  } finally {
    clearTimeout(timer);
  }
}
