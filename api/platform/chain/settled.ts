import type { PublicClient } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import { chainAnswer } from "./bounded.ts";
import { withChainErrors } from "./reverts.ts";

const TIMEOUT_MS = 5_000;

/**
 * The last block that is deep enough to be relied on.
 *
 * @param confirmations blocks until something counts; 1 means included.
 * @throws ApiError CHAIN_UNAVAILABLE
 */
export async function settledBlock(client: PublicClient, confirmations: number): Promise<bigint> {
  const head = await withChainErrors(() => client.getBlockNumber({ cacheTime: 0 }));
  return head - BigInt(confirmations) + 1n;
}

/**
 * The time of the latest settled block.
 *
 * @param confirmations blocks until something counts; 1 means included.
 * @throws ApiError CHAIN_UNAVAILABLE
 */
export function settledTime(client: PublicClient, confirmations: number): Promise<Date> {
  return chainAnswer(TIMEOUT_MS, async () => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const depth = BigInt(confirmations - 1);
    const { timestamp } = await client.getBlock({ blockNumber: head > depth ? head - depth : 0n });
    return dateOf(timestamp);
  });
}
