import { bounded } from "../../kernel/bounded.ts";
import { ApiError } from "../../kernel/errors.ts";

/**
 * The answer of `read`, or CHAIN_UNAVAILABLE when it fails or takes longer than `timeoutMs`
 * milliseconds. Only for reads that never revert: then every failure is the node's.
 */
export async function chainAnswer<T>(timeoutMs: number, read: () => Promise<T>): Promise<T> {
  try {
    return await bounded(timeoutMs, read, () => {
      return new Error(`The node did not answer within ${timeoutMs} ms.`);
    });
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError("CHAIN_UNAVAILABLE", { cause });
  }
}
