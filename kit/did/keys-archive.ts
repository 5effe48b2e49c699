import { type Address, type Hex, type PublicClient, parseAbi } from "viem";
import { isRefusedRange, searchBlocks } from "../../protocol/block-ranges.ts";

/** Of `IAgentKeys`, what a resolver needs and nothing more. */
export const KEYS_ABI = parseAbi([
  "function keysOf(uint256 tokenId) view returns (bytes32)",
  "event AgentKeysSet(uint256 indexed tokenId, uint16 indexed epoch, address indexed owner, uint32 version, bytes32 keysHash, bytes32 archiveId, bool onlyWithAgentWallet)",
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
 * The archive of a key set: the contract's state holds the hash alone, its event both.
 *
 * @throws Error when the node does not answer, or has no such event.
 */
export async function findKeysArchive(search: KeysArchiveSearch): Promise<Hex> {
  const { client, address, startBlock, blockNumber, tokenId, epoch, keysHash } = search;
  const archiveId = await searchBlocks({
    firstBlock: startBlock,
    lastBlock: blockNumber,
    maxRequests: MAX_REQUESTS,
    isRefused: isRefusedRange,
    async inRange(fromBlock, toBlock) {
      const events = await client.getContractEvents({
        address,
        abi: KEYS_ABI,
        eventName: "AgentKeysSet",
        args: { tokenId, epoch },
        fromBlock,
        toBlock,
        strict: true,
      });
      return events.findLast(({ args }) => args.keysHash === keysHash)?.args.archiveId ?? null;
    },
  });
  if (archiveId !== null) return archiveId;
  throw new Error(
    `The node returned no AgentKeysSet event for token ${tokenId} since block ${startBlock}`,
  );
}
