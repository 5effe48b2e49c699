import { BaseError } from "viem";
import { ApiError } from "../../kernel/errors.ts";

/**
 * Runs a call limited to `gas`. Contracts of the owner's choice decide how much it uses: the
 * registry asks the owner's wallet to verify the signature.
 *
 * @throws ApiError INVALID_REQUEST when that is not enough; otherwise what `call` throws.
 */
export async function reportOutOfGas<T>(gas: bigint, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!ranOutOfGas(error)) throw error;
    throw new ApiError("INVALID_REQUEST", {
      message: `The owner's wallet needs more than the ${gas} gas that the service pays for.`,
      details: { gas: gas.toString() },
      cause: error,
    });
  }
}

/** The only wording that nodes share. */
function ranOutOfGas(error: unknown): boolean {
  return error instanceof BaseError && /out of gas/i.test(`${error.message} ${error.details}`);
}
