import type { Address, Hex, PublicClient } from "viem";
import { BlockNotFoundError, encodeFunctionData, parseEventLogs } from "viem";
import { alignmentRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { type AlignmentContracts, archiveIdOf, CONTRACT_OF } from "../../../../protocol/index.ts";
import { dateOf } from "../../../kernel/chain-time.ts";
import { orNull } from "../../../platform/chain/absent.ts";
import { assertLogsUpTo, findNewestLog, readLogs } from "../../../platform/chain/log-search.ts";
import { contractReceipt } from "../../../platform/chain/receipts.ts";
import { decodeRevert, revertData, withChainErrors } from "../../../platform/chain/reverts.ts";
import { settledBlock, settledTime } from "../../../platform/chain/settled.ts";
import type { ArchivedSnapshot, RecordingChain } from "./snapshots.ts";

export interface RecordingChainOptions {
  readonly client: PublicClient;
  readonly contracts: AlignmentContracts;
  /** The account that records. */
  readonly recorder: Address;
  /** Blocks until a record counts as confirmed; 1 means included. */
  readonly confirmations: number;
}

/** Reverts that are about one record. Every other one concerns the whole batch. */
const ABOUT_ONE_RECORD: ReadonlyMap<string, string> = new Map([
  ["UnknownSoul", "The registry does not know this soul."],
  ["WrongEpoch", "The soul was resealed."],
  ["OutdatedAlignment", "A score of a later block is recorded."],
]);

/** The registry of scores, as the snapshot job uses it. */
export function createRecordingChain(options: RecordingChainOptions): RecordingChain {
  const { client, contracts, recorder, confirmations } = options;
  const address = contracts.alignmentRegistry;
  const sources = [...new Set(Object.values(CONTRACT_OF))]
    .map((name) => contracts[name])
    .filter((source) => source !== null);
  const contract = { address, abi: alignmentRegistryAbi } as const;

  async function refusalOf(snapshot: ArchivedSnapshot): Promise<string | null> {
    try {
      await client.simulateContract({
        ...contract,
        functionName: "recordAlignment",
        args: [[recordOf(snapshot)]],
        account: recorder,
      });
      return null;
    } catch (error) {
      const data = revertData(error);
      const revert = data === null ? null : decodeRevert(data, [alignmentRegistryAbi]);
      const reason = revert === null ? undefined : ABOUT_ONE_RECORD.get(revert.name);
      if (reason !== undefined) return reason;
      return withChainErrors(() => Promise.reject(error));
    }
  }

  return {
    recordCall: (snapshots) => ({
      to: address,
      data: encodeFunctionData({
        abi: alignmentRegistryAbi,
        functionName: "recordAlignment",
        args: [snapshots.map(recordOf)],
      }),
    }),

    async refused(snapshots) {
      const refused: { id: string; reason: string }[] = [];
      for (const snapshot of snapshots) {
        const reason = await refusalOf(snapshot);
        if (reason !== null) refused.push({ id: snapshot.id, reason });
      }
      return refused;
    },

    async recordedIn(snapshots) {
      const [first] = snapshots;
      if (first === undefined) return null;
      const archiveId = archiveIdOf(first.archiveId);
      // A record is always later than the block whose state it scores.
      const found = await findNewestLog(client, first.scoredBlock, async (range) => {
        const logs = await client.getContractEvents({
          ...contract,
          ...range,
          eventName: "AlignmentRecorded",
          args: { tokenId: first.tokenId },
          strict: true,
        });
        return logs.filter(({ args }) => args.archiveId === archiveId);
      });
      return found?.txHash ?? null;
    },

    mined: (txHash) =>
      withChainErrors(async () => {
        const found = await contractReceipt(client, txHash, address);
        const events = parseEventLogs({
          abi: alignmentRegistryAbi,
          eventName: "AlignmentRecorded",
          logs: found?.logs ?? [],
        });
        if (found === null || events.length === 0) return null;
        const { blockHash, blockNumber } = found.receipt;
        const { timestamp } = await client.getBlock({ blockHash });
        return {
          block: blockNumber,
          at: dateOf(timestamp),
          records: events.map(({ args }) => ({
            tokenId: args.tokenId,
            archiveId: args.archiveId,
            previousScore: args.previousScore,
          })),
        };
      }),

    settledBlock: () => settledBlock(client, confirmations),

    settledTime: () => settledTime(client, confirmations),

    blockHash: async (block) => (await blockOf(client, block))?.hash ?? null,

    async eventsIn(range) {
      const logs = await readLogs(range, (part) => client.getLogs({ address: sources, ...part }));
      await withChainErrors(() => assertLogsUpTo(client, range.toBlock));
      return logs.map(({ blockNumber, transactionHash, logIndex }) => ({
        blockNumber,
        transactionHash,
        logIndex,
      }));
    },
  };
}

/** A block of the chain as it is now; null when it has none of this number. */
export async function blockOf(
  client: PublicClient,
  blockNumber: bigint,
): Promise<{ readonly hash: Hex; readonly timestamp: bigint } | null> {
  const block = await withChainErrors(() =>
    orNull(client.getBlock({ blockNumber }), BlockNotFoundError),
  );
  return block === null ? null : { hash: block.hash, timestamp: block.timestamp };
}

function recordOf({ tokenId, epoch, score, archiveId, scoredBlock }: ArchivedSnapshot): {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly score: number;
  readonly archiveId: Hex;
  readonly blockNumber: bigint;
} {
  return { tokenId, epoch, score, archiveId: archiveIdOf(archiveId), blockNumber: scoredBlock };
}
