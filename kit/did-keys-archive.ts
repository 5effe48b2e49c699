import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  type PublicClient,
  parseAbi,
  TimeoutError,
} from "viem";

/** Of `IAgentKeys`, what a resolver needs and nothing more. */
export const KEYS_ABI = parseAbi([
  "function keysOf(uint256 tokenId) view returns (bytes32)",
  "event AgentKeysSet(uint256 indexed tokenId, uint16 indexed epoch, address indexed owner, uint32 version, bytes32 keysHash, bytes32 archiveId)",
]);

/** Most requests for logs of one search. */
const MAX_REQUESTS = 256;

export interface KeysArchiveSearch {
  readonly client: PublicClient;
  /** The contract AgentKeys. */
  readonly address: Address;
  readonly startBlock: bigint;
  /** The block at which `keysHash` is in force. */
  readonly blockNumber: bigint;
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly keysHash: Hex;
}

/**
 * The archive of a key set: the contract's state holds the hash alone, its event both. Nodes limit
 * the block range of a request for logs, each to its own number. A refused range is halved, and its
 * newer half read first.
 *
 * @throws Error when the node does not answer, or has no such event.
 */
export async function findKeysArchive(search: KeysArchiveSearch): Promise<Hex> {
  const { client, address, startBlock, blockNumber, tokenId, epoch, keysHash } = search;
  const ranges: [from: bigint, to: bigint][] = [[startBlock, blockNumber]];
  for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
    const range = ranges.pop();
    if (range === undefined) break;
    const [fromBlock, toBlock] = range;
    try {
      const events = await client.getContractEvents({
        address,
        abi: KEYS_ABI,
        eventName: "AgentKeysSet",
        args: { tokenId, epoch },
        fromBlock,
        toBlock,
        strict: true,
      });
      const last = events.findLast(({ args }) => args.keysHash === keysHash);
      if (last !== undefined) return last.args.archiveId;
    } catch (error) {
      if (fromBlock >= toBlock || !isRefusedRange(error)) throw error;
      const middle = (fromBlock + toBlock) / 2n;
      ranges.push([fromBlock, middle], [middle + 1n, toBlock]);
    }
  }
  throw new Error(
    `The node returned no AgentKeysSet event for token ${tokenId} since block ${startBlock}`,
  );
}

/** Whether the node answered and refused, rather than not answering. */
function isRefusedRange(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const unanswered = error.walk(
    (cause) =>
      cause instanceof TimeoutError ||
      (cause instanceof HttpRequestError &&
        (cause.status === undefined || cause.status === 429 || cause.status >= 500)),
  );
  return unanswered === null;
}
