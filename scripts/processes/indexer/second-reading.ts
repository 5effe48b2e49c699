import { type Address, createPublicClient, type Hex, numberToHex } from "viem";
import { type AnsweredLog, logKey } from "../../../indexer/complete-logs.ts";
import { connectNodes } from "../../../indexer/nodes.ts";
import type { BlockRange, IndexStore, StoredEvent } from "./index-store.ts";

/** Blocks of one comparison. A node that refuses so many is asked for less. */
const BLOCKS = 2_000n;

/**
 * Reads final blocks again, some time after Ponder has stored them, and compares their logs with the stored ones. A node
 * that had not indexed its newest logs has them by then.
 */
export function createSecondReading(options: {
  readonly store: IndexStore;
  /** The nodes in the order in which Ponder prefers them. */
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly delayMs: number;
}) {
  const { store, delayMs } = options;
  // Another node is asked first than the one from which Ponder has read.
  const urls = [...options.urls.slice(1), ...options.urls.slice(0, 1)];
  // A difference is settled by receipts. So no block needs to be checked by itself.
  const nodes = connectNodes(urls, options.chainId, 0n);
  const client = createPublicClient({ transport: nodes.transport });

  async function readAgain(events: readonly StoredEvent[], range: BlockRange) {
    const addresses = [...new Set(events.map(({ address }) => address))];
    const topics = [...new Set(events.map(({ topic }) => topic))];
    const logs = (await client.request({
      method: "eth_getLogs",
      params: [
        {
          address: addresses as Address[],
          topics: topics.includes(null) ? [] : [topics as Hex[]],
          fromBlock: numberToHex(range.first),
          toBlock: numberToHex(range.last),
        },
      ],
    })) as unknown as readonly AnsweredLog[];
    return logs.filter((log) => isStored(events, log));
  }

  /** The blocks whose stored logs are not those of the chain. */
  async function wrongBlocks(events: readonly StoredEvent[], range: BlockRange): Promise<bigint[]> {
    const stored = (await store.storedLogs(range)).filter((log) => isStored(events, log));
    const read = await readAgain(events, range);
    const wrong: bigint[] = [];
    for (const block of differences(stored, read)) {
      const own = stored.filter((log) => blockOf(log) === block);
      const all = (await nodes.logsOf(block)).filter((log) => isStored(events, log));
      if (differences(own, all).length > 0) wrong.push(block);
    }
    return wrong;
  }

  return {
    start: nodes.start,

    /** Whether a node answers. */
    answers: () =>
      client.getBlockNumber().then(
        () => true,
        () => false,
      ),

    /**
     * Compares the next blocks that are due.
     *
     * @returns the range, with what was found; null when none is due.
     */
    async step(): Promise<{
      readonly range: BlockRange;
      readonly wrong: BlockRange | null;
    } | null> {
      const events = await store.storedEvents();
      const starts = events.flatMap(({ ranges }) => ranges.slice(0, 1).map(({ first }) => first));
      if (starts.length === 0) return null;
      const first = ((await store.rereadUpTo()) ?? smallest(starts) - 1n) + 1n;
      const stored = storedUpTo(events, first);
      if (stored < first) return null;
      const due = await store.storedBefore(stored, delayMs);
      const last = smallest([due ?? -1n, stored, first + BLOCKS - 1n]);
      if (last < first) return null;
      const range = { first, last };
      const blocks = await wrongBlocks(events, range);
      if (blocks.length === 0) {
        await store.rereadTo(last);
        return { range, wrong: null };
      }
      const wrong = { first: smallest(blocks), last: largest(blocks) };
      await store.recordFault(wrong, `Blocks with other logs: ${blocks.length}.`);
      return { range, wrong };
    },
  };
}

/** The last block up to which all events are stored that the present index reads. */
function storedUpTo(events: readonly StoredEvent[], from: bigint): bigint {
  const ends = events.map(({ ranges }) => ranges.at(-1)?.last ?? -1n);
  const newest = largest(ends);
  const limits = events
    // Events of an earlier release are not read any more.
    .filter((_, index) => ends[index] === newest)
    .map(({ ranges }) => {
      const start = ranges[0]?.first ?? newest;
      if (from < start) return newest;
      return ranges.find(({ first, last }) => first <= from && from <= last)?.last ?? from - 1n;
    });
  return smallest(limits);
}

/** Whether Ponder should have stored the log. */
function isStored(events: readonly StoredEvent[], log: AnsweredLog): boolean {
  const block = blockOf(log);
  return events.some(
    ({ address, topic, ranges }) =>
      address.toLowerCase() === log.address.toLowerCase() &&
      (topic === null || topic === log.topics[0]) &&
      ranges.some(({ first, last }) => first <= block && block <= last),
  );
}

/** The blocks in which one has a log that the second lacks. */
function differences(one: readonly AnsweredLog[], second: readonly AnsweredLog[]): bigint[] {
  const keys = [one, second].map((logs) => new Set(logs.map(logKey)));
  const different = [...one, ...second].filter((log) => !keys.every((set) => set.has(logKey(log))));
  return [...new Set(different.map(blockOf))];
}

const blockOf = ({ blockNumber }: AnsweredLog) => BigInt(blockNumber);

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : 1);
const smallest = (values: readonly bigint[]) => values.toSorted(ascending)[0] as bigint;
const largest = (values: readonly bigint[]) => values.toSorted(ascending).at(-1) as bigint;
