import type { Hex, PublicClient } from "viem";
import { searchBlocks } from "../../../protocol/index.ts";
import { isNodeRefusal, withChainErrors } from "./reverts.ts";

/** The position of a log. */
export interface LogPosition {
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** A log as viem returns it from mined blocks. */
interface MinedLog {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
}

/** The newest log from `firstBlock` on, in ranges that the node accepts; null without one. */
export function findNewestLog(
  client: PublicClient,
  firstBlock: bigint,
  logsIn: (range: { fromBlock: bigint; toBlock: bigint }) => Promise<readonly MinedLog[]>,
): Promise<LogPosition | null> {
  return withChainErrors(async () =>
    searchBlocks({
      firstBlock,
      lastBlock: await client.getBlockNumber({ cacheTime: 0 }),
      isRefused: isNodeRefusal,
      async inRange(fromBlock, toBlock) {
        const log = (await logsIn({ fromBlock, toBlock })).at(-1);
        return log ? { txHash: log.transactionHash, blockNumber: log.blockNumber } : null;
      },
    }),
  );
}
