import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
} from "viem";
import { ProtocolError } from "../../protocol/errors.ts";
import { ApiError } from "../client/index.ts";
import { CommandError } from "./command.ts";

/** An error as its reader needs it. */
export interface Explanation {
  /** 1 when the service refused, 2 when nothing was found out. */
  readonly code: 1 | 2;
  /** The service's name of it; null for any other. */
  readonly type: string | null;
  readonly message: string;
  readonly advice: string;
}

/** What an error means for the person who called the command. */
export function explained(error: unknown): Explanation {
  if (error instanceof ApiError) return refusal(error);
  if (error instanceof CommandError) {
    return { code: error.exitCode, type: null, message: error.message, advice: error.advice };
  }
  if (error instanceof ProtocolError) {
    return { code: 2, type: null, message: error.message, advice: "" };
  }
  if (error instanceof BaseError) return nodeProblem(error);
  const { code, path } = error as { readonly code?: unknown; readonly path?: unknown };
  if (typeof code === "string" && typeof path === "string") return fileProblem(code, path);
  return { code: 2, type: null, message: firstLine(error), advice: "" };
}

function refusal(error: ApiError): Explanation {
  const { code: type, status, advice, retryAfter } = error;
  // The service decided: anything else may have another answer later.
  const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 429;
  const later = retryAfter === undefined ? "" : ` Retry after ${retryAfter} seconds.`;
  const issues = issuesOf(error);
  const message = [error.message, ...issues.map((issue) => `  ${issue}`)].join("\n");
  const next = issues.length > 0 ? "Correct what is named above." : advice;
  return { code: isRefused ? 1 : 2, type, message, advice: `${next}${later}` };
}

/** What the service found wrong in a request. */
function issuesOf({ details }: ApiError): readonly string[] {
  const issues: readonly unknown[] = Array.isArray(details.issues) ? details.issues : [];
  return issues.flatMap((issue) => {
    const { path, message } = issue as { readonly path?: unknown; readonly message?: unknown };
    return typeof path === "string" && typeof message === "string" ? [`${path}: ${message}`] : [];
  });
}

/** Only the first sentence of viem's errors: the rest repeats URLs, which may hold a node's key. */
function nodeProblem(error: BaseError): Explanation {
  const known: Explanation = { code: 2, type: null, message: firstLine(error), advice: "" };
  const cause = error.walk((inner) => PROBLEMS.some(([kind]) => inner instanceof kind));
  const [, message, advice] = PROBLEMS.find(([kind]) => cause instanceof kind) ?? [];
  if (message === undefined || advice === undefined) return known;
  return { ...known, message, advice };
}

const PROBLEMS: readonly (readonly [new (...args: never[]) => Error, string, string])[] = [
  [
    ContractFunctionZeroDataError,
    "The node has no such contract.",
    "Check that --deployment belongs to the node's chain (--rpc).",
  ],
  [
    ContractFunctionRevertedError,
    "A contract refused the read.",
    "Check that --deployment belongs to the node's chain (--rpc).",
  ],
  [TimeoutError, "The node did not answer in time.", "Try again, or use another node (--rpc)."],
  [HttpRequestError, "The node cannot be reached.", "Check --rpc or SVC_RPC_URL."],
  [RpcRequestError, "The node refused the request.", "Use another node (--rpc)."],
];

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be read or written",
  EISDIR: "is a folder",
  EEXIST: "exists already and is not overwritten",
};

function fileProblem(code: string, path: string): Explanation {
  const problem = FILE_PROBLEMS[code] ?? `cannot be used (${code})`;
  return { code: 2, type: null, message: `The file ${path} ${problem}.`, advice: "" };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
