import type { Abi, AbiParameter, Hex } from "viem";
import {
  BaseError,
  ContractFunctionRevertedError,
  decodeErrorResult,
  ExecutionRevertedError,
  HttpRequestError,
  isHex,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  toFunctionSelector,
  WebSocketRequestError,
} from "viem";
import * as abis from "../../../protocol/generated/abi.ts";
import type { ErrorType } from "../../kernel/errors.ts";
import { ApiError } from "../../kernel/errors.ts";

/** Reverts that a caller can correct. Every other revert is a fault of the service: INTERNAL. */
const ERROR_OF_REVERT: ReadonlyMap<string, ErrorType> = new Map<string, ErrorType>([
  ["InvalidSignature", "INVALID_SIGNATURE"],
  ["NonceAlreadyUsed", "NONCE_USED"],
  ["DeadlineExpired", "NONCE_EXPIRED"],
  ["NameTaken", "NAME_TAKEN"],
  ["InvalidName", "INVALID_NAME"],
  ["EmptySoul", "INVALID_MERKLE_DATA"],
  ["InvalidParent", "INVALID_REQUEST"],
  ["AlreadySucceeded", "INVALID_REQUEST"],
  ["UnexpectedPassportId", "INVALID_REQUEST"],
  ["UnexpectedTokenId", "INVALID_REQUEST"],
  ["EntryWithoutURI", "INVALID_REQUEST"],
  // Of a batch with entries and as many publications: others have all its names.
  ["InvalidBatch", "NAME_TAKEN"],
  ["PassportIdTooLarge", "INVALID_REQUEST"],
  ["UnexpectedAgentURI", "INVALID_REQUEST"],
  ["UnexpectedHumanProof", "INVALID_REQUEST"],
  ["HumanProofMismatch", "INVALID_REQUEST"],
  ["UnknownOrganization", "INVALID_REQUEST"],
  ["WrongVersion", "INVALID_REQUEST"],
  ["WrongEpoch", "INVALID_REQUEST"],
  ["Outdated", "INVALID_REQUEST"],
  ["AdminConsentRequired", "FORBIDDEN"],
  ["AlreadyMember", "ALREADY_MEMBER"],
  ["NotMember", "NOT_FOUND"],
  ["NotOwnerOrAdmin", "NOT_OWNER"],
  ["NotPendingAdmin", "NOT_OWNER"],
  ["InvalidOrganizationName", "INVALID_REQUEST"],
  ["PassportAlreadyBound", "Erc8004AgentIdAlreadyBound"],
  ["NotPassportOwner", "NOT_OWNER"],
  ["NotOwner", "NOT_OWNER"],
  ["NotObserved", "SUSPENDED"],
  ["NotSuspended", "FORBIDDEN"],
  ["SoulSuspended", "SUSPENDED"],
  ["NoOwner", "SUSPENDED"],
  ["AllowanceNotActive", "ALLOWANCE_INACTIVE"],
  ["ValidUntilPassed", "INVALID_REQUEST"],
  ["TooManyDecisions", "FORBIDDEN"],
  ["NotApproved", "APPROVAL_REQUIRED"],
  ["NotBound", "NOT_FOUND"],
  ["WrongServiceVersion", "INVALID_REQUEST"],
  ["OwnerBindingStands", "WALLET_SIGNATURE_REQUIRED"],
  ["SelfBinding", "INVALID_REQUEST"],
  ["ContextTooLong", "INVALID_REQUEST"],
  ["UnknownSoul", "NOT_FOUND"],
  ["VerificationFailed", "INVALID_REQUEST"],
  ["VerifierNotApproved", "INVALID_REQUEST"],
  ["NullifierAlreadyUsed", "INVALID_REQUEST"],
]);

/** The error for a soul in the wrong state, in the order of ISoulRegistry.Status. */
const ERROR_OF_STATUS: readonly ErrorType[] = [
  ...(["NOT_FOUND", "FORBIDDEN", "ALREADY_SEALED", "BURNED"] as const),
];

/** A contract's error, decoded. */
export interface Revert {
  readonly name: string;
  /**
   * By parameter name (position, if it has none): numbers in decimal, bytes and addresses in hex.
   */
  readonly args: Readonly<Record<string, string>>;
}

/** JSON-RPC codes of a node that cannot answer now: rate limits, missing resources. */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([429, -32002, -32005, -32007]);
/** "Internal error": Hardhat's node reports reverts with it as well. */
const INTERNAL_RPC_CODE = -32603;

/**
 * Runs a call to the chain and maps its failures to catalogue errors. Errors from elsewhere pass
 * unchanged.
 *
 * @throws ApiError of the contract's revert with details {reason, args}; INTERNAL for a revert that
 * no caller can cause; CHAIN_UNAVAILABLE when the node does not answer.
 */
export async function withChainErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toChainError(error);
  }
}

/** The catalogue error for a failed chain call; other errors are returned unchanged. */
export function toChainError(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const data = revertData(error);
  if (data !== null) return revertError(data, error);
  if (isUnavailable(error)) return new ApiError("CHAIN_UNAVAILABLE", { cause: error });
  return new ApiError("INTERNAL", { cause: error });
}

/** The error for a revert with these bytes. */
export function revertError(data: Hex, cause?: unknown): ApiError {
  const revert = decodeRevert(data, ALL_ABIS);
  if (revert?.name === "BatchEntryRefused") return entryRefused(revert, cause);
  const type = revert && errorTypeOf(revert);
  if (revert && type) {
    const args = Object.fromEntries(
      Object.entries(revert.args).map(([name, value]) => [name, integerId(name, value)]),
    );
    return new ApiError(type, { details: { reason: revert.name, args }, cause });
  }
  // Only logged: roles and contract state are internal.
  const what = revert ? `${revert.name} ${JSON.stringify(revert.args)}` : data;
  return new ApiError("INTERNAL", {
    cause: new Error(`A contract reverted unexpectedly: ${what}`, { cause }),
  });
}

/** One entry refuses a whole batch: its index, and the error that it alone would have. */
function entryRefused({ args }: Revert, cause: unknown): ApiError {
  const index = Number(args.index);
  const { type, message, details } = revertError(args.reason as Hex, cause);
  return new ApiError(type, {
    message: `Agent ${index} of the batch: ${message}`,
    details: { ...details, index },
    cause,
  });
}

/** Ids are integers wherever the interface names them. */
function integerId(name: string, value: string): string | number {
  const isId = /^(?:id|.*Id)$/.test(name) && /^[0-9]{1,16}$/.test(value);
  return isId && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function errorTypeOf({ name, args }: Revert): ErrorType | undefined {
  return name === "WrongStatus" ? ERROR_OF_STATUS[Number(args.status)] : ERROR_OF_REVERT.get(name);
}

/**
 * The bytes that a contract reverted with ("0x" for none), or null when `error` is not a revert.
 * Nodes put them at different places: Base's into the answer's `data`, Hardhat's one level deeper,
 * and viem wraps both several times.
 */
export function revertData(error: unknown): Hex | null {
  let isRevert = false;
  for (const link of chainOf(error)) {
    isRevert ||=
      link instanceof ContractFunctionRevertedError || link instanceof ExecutionRevertedError;
    const { raw, data } = link as { raw?: unknown; data?: unknown };
    const nested = (data as { data?: unknown } | null | undefined)?.data;
    for (const candidate of [raw, data, nested]) if (isHex(candidate)) return candidate;
  }
  return isRevert ? "0x" : null;
}

/** Whether the node did not answer, or reported that it cannot now. A revert is an answer. */
export function isUnavailable(error: unknown): boolean {
  return chainOf(error).some((link) => {
    if (
      link instanceof HttpRequestError ||
      link instanceof TimeoutError ||
      link instanceof WebSocketRequestError ||
      link instanceof SocketClosedError
    ) {
      return true;
    }
    const { code } = link as { code?: unknown };
    if (code === INTERNAL_RPC_CODE) return revertData(error) === null;
    return typeof code === "number" && UNAVAILABLE_CODES.has(code);
  });
}

/** What `withChainErrors` returns for an answer that is not a contract's decision. */
const UNEXPLAINED: ReadonlySet<ErrorType> = new Set<ErrorType>(["CHAIN_UNAVAILABLE", "INTERNAL"]);

/** Whether the node rejected the method or its parameters, which does not concern the contract. */
export function isNodeRefusal(error: unknown): boolean {
  const isExplained = error instanceof ApiError && !UNEXPLAINED.has(error.type);
  if (isExplained || revertData(error) !== null) return false;
  return chainOf(error).some(
    (link) => link instanceof RpcRequestError && !UNAVAILABLE_CODES.has(link.code),
  );
}

/**
 * Reads a contract's error, Solidity's own `Error(string)` and `Panic(uint256)` included.
 *
 * @returns null when none of the ABIs knows it.
 */
export function decodeRevert(data: Hex, abis: readonly Abi[]): Revert | null {
  const errors = abis.flat().filter((item) => item.type === "error");
  // Contracts share errors; a duplicate selector must not make the decoder ambiguous.
  const bySelector = new Map(errors.map((item) => [toFunctionSelector(signatureOf(item)), item]));
  try {
    const { abiItem, args, errorName } = decodeErrorResult({ abi: [...bySelector.values()], data });
    const inputs: readonly AbiParameter[] = "inputs" in abiItem ? abiItem.inputs : [];
    const named = inputs.map((input, index): [string, string] => [
      input.name || String(index),
      text((args as readonly unknown[] | undefined)?.[index]),
    ]);
    return { name: errorName, args: Object.fromEntries(named) };
  } catch {
    return null;
  }
}

const ALL_ABIS: readonly Abi[] = Object.values(abis);

function signatureOf({ name, inputs }: { name: string; inputs: readonly AbiParameter[] }): string {
  return `${name}(${inputs.map(typeOf).join(",")})`;
}

function typeOf(parameter: AbiParameter): string {
  if (!("components" in parameter)) return parameter.type;
  return `(${parameter.components.map(typeOf).join(",")})${parameter.type.slice("tuple".length)}`;
}

function text(value: unknown): string {
  if (typeof value !== "object") return String(value);
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? part.toString() : part,
  );
}

/** An error and its causes, outermost first. Bounded: a cause may point back. */
function chainOf(error: unknown): object[] {
  const links: object[] = [];
  let link = error;
  while (typeof link === "object" && link !== null && links.length < 16) {
    links.push(link);
    link = (link as { cause?: unknown }).cause;
  }
  return links;
}
