import type { PublicClient } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import { chainAnswer } from "./bounded.ts";

const TIMEOUT_MS = 5_000;

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
