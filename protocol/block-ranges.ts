export interface BlockSearch<Found> {
  readonly firstBlock: bigint;
  readonly lastBlock: bigint;
  /** Blocks of the first request. Default: all. */
  readonly firstSize?: bigint | undefined;
  /** Most requests of one search. Default: no limit. */
  readonly maxRequests?: number | undefined;
  /** What is looked for in these blocks, both included; null without it. */
  readonly inRange: (fromBlock: bigint, toBlock: bigint) => Promise<Found | null>;
  /** Whether the node answered and refused the range, rather than not answering. */
  readonly isRefused: (error: unknown) => boolean;
}

/**
 * Searches blocks, the newest first. Nodes limit the block range of a request for logs, each to its
 * own number: a refused range is halved.
 *
 * @returns null when no range has it, or `maxRequests` were made.
 * @throws what `inRange` throws for a single block, or without a refusal.
 */
export async function searchBlocks<Found>(search: BlockSearch<Found>): Promise<Found | null> {
  const { firstBlock, lastBlock, inRange, isRefused, maxRequests = Infinity } = search;
  let size = search.firstSize ?? lastBlock - firstBlock + 1n;
  let toBlock = lastBlock;
  for (let requests = 0; requests < maxRequests && toBlock >= firstBlock; requests += 1) {
    const start = toBlock - size + 1n;
    const fromBlock = start > firstBlock ? start : firstBlock;
    try {
      const found = await inRange(fromBlock, toBlock);
      if (found !== null) return found;
      toBlock = fromBlock - 1n;
    } catch (error) {
      if (fromBlock >= toBlock || !isRefused(error)) throw error;
      size = (toBlock - fromBlock + 1n) / 2n;
    }
  }
  return null;
}

/** HTTP statuses below 500 that say "not now" rather than "not so much". */
const NOT_NOW: ReadonlySet<unknown> = new Set([401, 402, 403, 408, 429]);

/** JSON-RPC codes for too many requests. -32005 is not one: providers also use it for ranges. */
const TOO_MANY_REQUESTS: ReadonlySet<unknown> = new Set([429, -32007, -32029, -32097]);

/** What providers write beside -32005 and others when they mean requests, not blocks. */
const ABOUT_REQUESTS =
  /rate ?limit|request rate|too many requests?|requests? per|request limit|daily|capacity|credits|quota/i;

/** How an answer above a client's own limit ends. */
const ANSWER_TOO_LARGE: ReadonlySet<unknown> = new Set([
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  "ResponseBodyTooLargeError",
]);

/** An error of viem, or a cause of one. */
interface RequestError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly details?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** Whether a node answered that there were too many requests, by status or by a code of its own. */
export function isTooManyRequests(error: unknown): boolean {
  return causesOf(error).some(({ name, code, status, details, message }) => {
    if (name === "HttpRequestError") return status === 429;
    if (name !== "RpcRequestError") return false;
    return TOO_MANY_REQUESTS.has(code) || ABOUT_REQUESTS.test(String(details ?? message));
  });
}

/**
 * Whether a node that was asked for logs answered and refused the range of blocks, so that a
 * smaller one is worth asking for. Providers use many codes and texts for that. So every error
 * that the node answers counts, except those for too many requests; no answer is no refusal.
 */
export function isRefusedRange(error: unknown): boolean {
  const causes = causesOf(error);
  if (causes.some(({ name, code }) => ANSWER_TOO_LARGE.has(name) || ANSWER_TOO_LARGE.has(code))) {
    return true;
  }
  return !isTooManyRequests(error) && causes.some(isRefusal);
}

function isRefusal({ name, status }: RequestError): boolean {
  if (name === "RpcRequestError") return true;
  if (name !== "HttpRequestError" || typeof status !== "number") return false;
  return status >= 400 && status < 500 && !NOT_NOW.has(status);
}

/** An error and its causes, outermost first. Bounded: a cause may point back. */
function causesOf(error: unknown): readonly RequestError[] {
  const causes: RequestError[] = [];
  let cause = error as RequestError | null | undefined;
  while (typeof cause === "object" && cause !== null && causes.length < 16) {
    causes.push(cause);
    cause = cause.cause as RequestError | null | undefined;
  }
  return causes;
}
