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
