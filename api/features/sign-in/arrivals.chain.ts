import type { Address, PublicClient } from "viem";
import { isAddressEqual } from "viem";
import { identityRegistryAbi } from "../../../protocol/generated/abi.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import { readLogs } from "../../platform/chain/log-search.ts";
import type { PassportArrivals } from "./passport-choice.ts";

/**
 * Most blocks whose logs one sign-in reads: a healthy index is seconds behind, and a sign-in must
 * not pay for a broken one.
 */
const MAX_LOG_BLOCKS = 5_000n;

/**
 * Arrivals as the identity registry's logs tell them.
 *
 * @param timeoutMs Milliseconds that one read may take in all.
 */
export function createPassportArrivals({
  client,
  identityRegistry,
  timeoutMs,
}: {
  readonly client: PublicClient;
  readonly identityRegistry: Address;
  readonly timeoutMs: number;
}): PassportArrivals {
  return {
    async passportsReceived(holder, from, to) {
      const first = from > to - MAX_LOG_BLOCKS ? from : to - MAX_LOG_BLOCKS + 1n;
      if (first > to) return [];
      const transfers = await chainAnswer(timeoutMs, () =>
        readLogs({ fromBlock: first, toBlock: to }, (range) =>
          client.getContractEvents({
            address: identityRegistry,
            abi: identityRegistryAbi,
            eventName: "Transfer",
            args: { to: holder },
            strict: true,
            ...range,
          }),
        ),
      );
      const since = new Map<bigint, bigint>();
      for (const { args, blockNumber } of transfers) {
        // An approved account can send a passport to its own owner: that is no arrival.
        if (isAddressEqual(args.from, holder)) continue;
        since.delete(args.tokenId);
        since.set(args.tokenId, blockNumber);
      }
      return [...since].map(([id, block]) => ({ id, since: block }));
    },
  };
}
