import type { Hex, PublicClient } from "viem";
import { isRefusedRange, searchBlocks } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { withChainErrors } from "./reverts.ts";

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

interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Blocks that are looked at for one with logs. On a public chain nearly every block has some. */
const LOOKED_AT = 16n;

/**
 * The newest log from `firstBlock` on, in ranges that the node accepts; null without one.
 *
 * @throws ApiError CHAIN_UNAVAILABLE also when none is found and the node lacks recent logs.
 */
export function findNewestLog(
  client: PublicClient,
  firstBlock: bigint,
  logsIn: (range: BlockRange) => Promise<readonly MinedLog[]>,
): Promise<LogPosition | null> {
  return withChainErrors(async () => {
    const lastBlock = await client.getBlockNumber({ cacheTime: 0 });
    const found = await searchBlocks({
      firstBlock,
      lastBlock,
      isRefused: isRefusedRange,
      async inRange(fromBlock, toBlock) {
        const log = (await logsIn({ fromBlock, toBlock })).at(-1);
        return log ? { txHash: log.transactionHash, blockNumber: log.blockNumber } : null;
      },
    });
    if (found === null) await assertLogsUpTo(client, lastBlock);
    return found;
  });
}

/** All logs of these blocks in the order of the chain, in ranges that the node accepts. */
export function readLogs<Log>(
  { fromBlock: firstBlock, toBlock: lastBlock }: BlockRange,
  logsIn: (range: BlockRange) => Promise<readonly Log[]>,
): Promise<readonly Log[]> {
  return withChainErrors(async () => {
    const newestFirst: (readonly Log[])[] = [];
    await searchBlocks({
      firstBlock,
      lastBlock,
      isRefused: isRefusedRange,
      async inRange(fromBlock, toBlock) {
        newestFirst.push(await logsIn({ fromBlock, toBlock }));
        return null;
      },
    });
    return newestFirst.reverse().flat();
  });
}

/**
 * A node can know a block some time before it has indexed its logs, and answers with none until
 * then. The newest block that has logs shows it.
 *
 * @throws ApiError CHAIN_UNAVAILABLE when the node lacks the logs of the blocks up to `lastBlock`.
 */
export async function assertLogsUpTo(client: PublicClient, lastBlock: bigint): Promise<void> {
  const oldest = lastBlock > LOOKED_AT ? lastBlock - LOOKED_AT : 0n;
  for (let blockNumber = lastBlock; blockNumber > oldest; blockNumber -= 1n) {
    const { hash: blockHash, logsBloom } = await client.getBlock({ blockNumber });
    // Some chains have no blooms. Then nothing can be checked.
    if (logsBloom === null || BigInt(logsBloom) === 0n) continue;
    if ((await client.getLogs({ blockHash })).length > 0) return;
    const cause = new Error(`The node has not indexed the logs of block ${blockNumber} yet.`);
    throw new ApiError("CHAIN_UNAVAILABLE", { cause });
  }
}
