import { type Abi, BaseError, decodeErrorResult, type Hex, isHex, RpcRequestError } from "viem";
import {
  identityRegistryAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { ApiError, type ErrorType } from "../errors.ts";

/** What a caller is told of each refusal by a contract. A revert that is not listed is our own fault. */
const REFUSALS: Readonly<Record<string, ErrorType>> = {
  InvalidSignature: "INVALID_SIGNATURE",
  NonceAlreadyUsed: "NONCE_USED",
  DeadlineExpired: "NONCE_EXPIRED",
  InvalidName: "INVALID_NAME",
  NameTaken: "NAME_TAKEN",
  EmptySoul: "INVALID_MERKLE_DATA",
  InvalidParent: "INVALID_REQUEST",
  InvalidOrganization: "INVALID_REQUEST",
  UnsupportedRegistration: "INVALID_REQUEST",
};

const ERRORS = [soulRegistryAbi, soulCertificateAbi, identityRegistryAbi].flatMap((abi) =>
  (abi as Abi).filter((item) => item.type === "error"),
);

/** JSON-RPC codes by which nodes say that a call reverted; any other failure is the node's own. */
const REVERTED = new Set([3, -32000, -32603]);

/**
 * Runs a call to the chain and translates how it fails: a contract's refusal by its name, anything else as
 * CHAIN_UNAVAILABLE.
 *
 * @throws ApiError
 */
export async function withChainErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw chainError(error);
  }
}

/** The ApiError that `error`, thrown by a call to the chain, stands for. */
export function chainError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof BaseError)) return new ApiError("INTERNAL", { cause: error });
  const data = revertData(error);
  if (data !== null) return refusal(data, error);
  return new ApiError("CHAIN_UNAVAILABLE", { cause: error });
}

/** The ApiError of raw revert data. */
export function refusal(data: Hex, cause?: unknown): ApiError {
  const decoded = decode(data);
  const type = decoded && REFUSALS[decoded.errorName];
  if (!decoded || !type) return new ApiError("INTERNAL", { cause });

  const inputs = decoded.abiItem.type === "error" ? decoded.abiItem.inputs : [];
  const args = Object.fromEntries(
    inputs.map((input, i) => [input.name ?? String(i), decoded.args?.[i]]),
  );
  return new ApiError(type, {
    message: `The contract refused: ${decoded.errorName}.`,
    details: { reason: decoded.errorName, args },
    cause,
  });
}

function decode(data: Hex) {
  try {
    return decodeErrorResult({ abi: ERRORS, data });
  } catch {
    return null;
  }
}

/**
 * The revert data somewhere in an error's causes, `0x` for a revert without any; null when nothing reverted. Nodes put it in
 * different places: as the error's data, or one level deeper.
 */
function revertData(error: BaseError): Hex | null {
  let found: Hex | null = null;
  error.walk((cause) => {
    if (typeof cause !== "object" || cause === null) return false;
    const data = hexIn(cause);
    if (data !== null) found = data;
    else if (found === null && cause instanceof RpcRequestError && isRevert(cause)) found = "0x";
    return false;
  });
  return found;
}

function hexIn(cause: object): Hex | null {
  for (const key of ["raw", "data"] as const) {
    const value: unknown = key in cause ? (cause as Record<string, unknown>)[key] : undefined;
    if (isHex(value) && value.length >= 10) return value;
    if (typeof value === "object" && value !== null) {
      const inner: unknown = "data" in value ? value.data : undefined;
      if (isHex(inner) && inner.length >= 10) return inner;
    }
  }
  return null;
}

function isRevert(error: RpcRequestError): boolean {
  return REVERTED.has(error.code) && /revert/i.test(error.message);
}
