import { BaseError } from "viem";
import { ApiError } from "../../kernel/errors.ts";

/**
 * Asks the node for a call that may use `gas` and no more. How much it uses is up to contracts of an owner's choice: the registry
 * asks the owner's wallet whether a signature is its own.
 *
 * @throws ApiError INVALID_REQUEST when that is not enough; otherwise what `call` throws.
 */
export async function withinGas<T>(gas: bigint, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!ranOutOfGas(error)) throw error;
    throw new ApiError("INVALID_REQUEST", {
      message: `The owner's wallet makes this take more than the ${gas} gas that the service pays for.`,
      details: { gas: gas.toString() },
      cause: error,
    });
  }
}

/** Nodes agree on these words only. */
function ranOutOfGas(error: unknown): boolean {
  return error instanceof BaseError && /out of gas/i.test(`${error.message} ${error.details}`);
}
