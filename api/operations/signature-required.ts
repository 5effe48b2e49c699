import { ApiError } from "../kernel/errors.ts";

/**
 * The refusal of a request without the owner's signature.
 *
 * @param typedData The operation's name under `/v1/typed-data/`.
 * @param what Begins the message.
 */
export function signatureRequired(
  typedData: string,
  what = "This operation",
  details: Readonly<Record<string, unknown>> = {},
): ApiError {
  const path = `/v1/typed-data/${typedData}`;
  return new ApiError("WALLET_SIGNATURE_REQUIRED", {
    message: `${what} requires the owner's wallet signature. POST ${path} returns what to sign.`,
    details: { ...details, typedData: path },
  });
}
