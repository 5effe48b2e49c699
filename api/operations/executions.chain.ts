import type { Hex, PublicClient } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { isNodeRefusal, withChainErrors } from "../platform/chain/reverts.ts";
import type { ExecutedSignature } from "./engine.ts";

/** The smallest range of blocks that is asked for at once. */
const SMALLEST_RANGE = 16n;

/** The transaction in which a contract carried out exactly this signature, from any sender; null without one. */
export async function executedIn(
  client: PublicClient,
  { verifier, signer, digest, fromBlock }: ExecutedSignature,
): Promise<{ readonly txHash: Hex; readonly blockNumber: bigint } | null> {
  const inRange = async (from: bigint, to: bigint) => {
    const logs = await client.getContractEvents({
      address: verifier,
      abi: soulRegistryAbi,
      eventName: "NonceUsed",
      args: { signer, digest },
      fromBlock: from,
      toBlock: to,
      strict: true,
    });
    const log = logs.at(-1);
    return log ? { txHash: log.transactionHash, blockNumber: log.blockNumber } : null;
  };
  return withChainErrors(async () => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    return searchRanges(inRange, fromBlock, head);
  });
}

/** Searches a range of blocks; halves it as long as the node refuses it, because providers limit ranges differently. */
async function searchRanges<Found>(
  inRange: (from: bigint, to: bigint) => Promise<Found | null>,
  first: bigint,
  last: bigint,
): Promise<Found | null> {
  let size = last - first + 1n;
  let from = first;
  while (from <= last) {
    const end = from + size - 1n;
    const to = end < last ? end : last;
    try {
      const found = await inRange(from, to);
      if (found !== null) return found;
      from = to + 1n;
    } catch (error) {
      if (size <= SMALLEST_RANGE || !isNodeRefusal(error)) throw error;
      size /= 2n;
    }
  }
  return null;
}
