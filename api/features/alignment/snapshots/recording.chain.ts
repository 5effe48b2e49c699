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
import type { ArchivedSnapshot, DroppedSnapshot } from "./snapshots.store.ts";

/** Reverts that are about one record. Every other one concerns the whole batch. */
const ABOUT_ONE_RECORD: ReadonlyMap<string, string> = new Map([
  ["UnknownSoul", "The registry does not know this soul."],
  ["WrongEpoch", "The soul was resealed."],
  ["OutdatedAlignment", "A score of a later block is recorded."],
]);

const REGISTRY = { abi: alignmentRegistryAbi } as const;

export type RecordingChain = ReturnType<typeof createRecordingChain>;
export type MinedRecords = NonNullable<Awaited<ReturnType<typeof minedRecords>>>;

/**
 * The registry of scores, as the snapshot job uses it.
 *
 * @param recorder The account that records.
 * @param confirmations Blocks until a record counts as confirmed; 1 means included.
 */
export function createRecordingChain(
  client: PublicClient,
  contracts: AlignmentContracts,
  recorder: Address,
  confirmations: number,
) {
  const address = contracts.alignmentRegistry;
  const sources = [...new Set(Object.values(CONTRACT_OF))]
    .map((name) => contracts[name])
    .filter((source) => source !== null);

  return {
    recordCall: (snapshots: readonly ArchivedSnapshot[]) => ({
      to: address,
      data: encodeFunctionData({
        ...REGISTRY,
        functionName: "recordAlignment",
        args: [snapshots.map(recordOf)],
      }),
    }),

    /** The snapshots that the registry would refuse now, each with its error. */
    async refused(snapshots: readonly ArchivedSnapshot[]): Promise<readonly DroppedSnapshot[]> {
      const refused: DroppedSnapshot[] = [];
      for (const snapshot of snapshots) {
        const reason = await refusalOf(client, address, recorder, snapshot);
        if (reason !== null) refused.push({ id: snapshot.id, reason });
      }
      return refused;
    },

    /** The transaction that recorded these snapshots, which one transaction does; null for none. */
    async recordedIn([first]: readonly ArchivedSnapshot[]): Promise<Hex | null> {
      if (first === undefined) return null;
      const archiveId = archiveIdOf(first.archiveId);
      // A record is always later than the block whose state it scores.
      const found = await findNewestLog(client, first.scoredBlock, async (range) => {
        const logs = await client.getContractEvents({
          ...REGISTRY,
          ...range,
          address,
          eventName: "AlignmentRecorded",
          args: { tokenId: first.tokenId },
          strict: true,
        });
        return logs.filter(({ args }) => args.archiveId === archiveId);
      });
      return found?.txHash ?? null;
    },

    /** What a transaction recorded, in the chain as it is now; null when it is in no block. */
    mined: (txHash: Hex) => withChainErrors(() => minedRecords(client, address, txHash)),

    /** The last block that is deep enough to be relied on. */
    settledBlock: () => settledBlock(client, confirmations),

    /** The time of that block. */
    settledTime: () => settledTime(client, confirmations),

    /** The hash of a block in the chain as it is now; null when there is no such block. */
    blockHash: async (block: bigint) => (await blockOf(client, block))?.hash ?? null,

    /** The places of all events of these blocks, which facts can be. */
    async eventsIn(range: { readonly fromBlock: bigint; readonly toBlock: bigint }) {
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

async function refusalOf(
  client: PublicClient,
  address: Address,
  account: Address,
  snapshot: ArchivedSnapshot,
): Promise<string | null> {
  try {
    await client.simulateContract({
      ...REGISTRY,
      address,
      functionName: "recordAlignment",
      args: [[recordOf(snapshot)]],
      account,
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

/** The records of a transaction with the time of its block, as its events state them. */
async function minedRecords(client: PublicClient, address: Address, txHash: Hex) {
  const found = await contractReceipt(client, txHash, address);
  const events = parseEventLogs({
    ...REGISTRY,
    eventName: "AlignmentRecorded",
    logs: found?.logs ?? [],
  });
  if (found === null || events.length === 0) return null;
  const { blockHash, blockNumber } = found.receipt;
  const { timestamp } = await client.getBlock({ blockHash });
  return { block: blockNumber, at: dateOf(timestamp), records: events.map(({ args }) => args) };
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

function recordOf({ tokenId, epoch, score, archiveId, scoredBlock }: ArchivedSnapshot) {
  return { tokenId, epoch, score, archiveId: archiveIdOf(archiveId), blockNumber: scoredBlock };
}
