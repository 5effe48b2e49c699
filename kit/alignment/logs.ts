import {
  type Abi,
  type Address,
  type ContractEventName,
  formatLog,
  getAbiItem,
  type Hex,
  numberToHex,
  type ParseEventLogsReturnType,
  parseEventLogs,
  type RpcLog,
  toEventSelector,
} from "viem";
import type { EventPlace } from "../../protocol/alignment/index.ts";
import { isRefusedRange, searchBlocks } from "../../protocol/block-ranges.ts";
import type { AlignmentClient } from "./client.ts";

/** Most values of one topic in one request. */
const TOPIC_VALUES = 200;

/** Indexed values of an event, in order; null for any. */
type Topics = readonly (Hex | readonly Hex[] | null)[];

type EventOf<A extends Abi, Name extends ContractEventName<A>> = ParseEventLogsReturnType<
  A,
  Name,
  true
>[number];

/** Events of one chain, up to one block. */
export interface LogReader {
  /**
   * All such events of a contract from `fromBlock` on, in the order of the chain.
   *
   * @throws what the node answers when it cannot give them.
   */
  read<const A extends Abi, const Name extends ContractEventName<A>>(query: {
    readonly address: Address;
    readonly abi: A;
    readonly events: readonly Name[];
    readonly topics: Topics;
    readonly fromBlock: bigint;
  }): Promise<EventOf<A, Name>[]>;
}

/** Where an event is. */
export function placeOf(log: {
  readonly blockNumber: bigint;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}): EventPlace {
  return {
    blockNumber: log.blockNumber,
    transactionHash: log.transactionHash,
    logIndex: log.logIndex,
  };
}

/** An integer as a topic. */
export function topicOf(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

/** An account as a topic. */
export function accountTopic(account: Hex): Hex {
  return `0x${account.slice(2).toLowerCase().padStart(64, "0")}`;
}

/** Reads events from a node, in ranges that it accepts. */
export function logReader(client: AlignmentClient, lastBlock: bigint): LogReader {
  /** The most blocks that the node served after it had refused more: later searches start there. */
  let servedSize: bigint | undefined;
  let isLimited = false;

  async function rawLogs(address: Address, topics: Topics, firstBlock: bigint) {
    const found: RpcLog[] = [];
    await searchBlocks({
      firstBlock,
      lastBlock,
      firstSize: servedSize,
      isRefused(error) {
        const isRefused = isRefusedRange(error);
        isLimited ||= isRefused;
        return isRefused;
      },
      async inRange(fromBlock, toBlock) {
        const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
        const logs = await client.request({
          method: "eth_getLogs",
          params: [{ address, topics: topics.map(mutable), ...range }],
        });
        for (const log of logs) found.push(log);
        const size = toBlock - fromBlock + 1n;
        if (isLimited && size > (servedSize ?? 0n)) servedSize = size;
        return null;
      },
    });
    return found;
  }

  return {
    async read({ address, abi, events, topics, fromBlock }) {
      const selectors = events.map((name) =>
        toEventSelector(getAbiItem({ abi: abi as Abi, name: name as string }) as never),
      );
      const raw: RpcLog[] = [];
      for (const some of inChunks(topics)) {
        for (const log of await rawLogs(address, [selectors, ...some], fromBlock)) raw.push(log);
      }
      const logs = parseEventLogs({
        abi,
        eventName: [...events] as never,
        logs: raw.map((log) => formatLog(log)),
        strict: true,
      }) as unknown as EventOf<typeof abi, (typeof events)[number]>[];
      return logs.sort((one, other) => {
        if (one.blockNumber === other.blockNumber) return one.logIndex - other.logIndex;
        return one.blockNumber < other.blockNumber ? -1 : 1;
      });
    },
  };
}

function mutable(topic: Topics[number]): Hex | Hex[] | null {
  return typeof topic === "string" || topic === null ? topic : [...topic];
}

/** The topics with their longest list in parts that a node accepts. No part for an empty list. */
function inChunks(topics: Topics): Topics[] {
  const long = topics.findIndex(
    (topic) => Array.isArray(topic) && (topic.length === 0 || topic.length > TOPIC_VALUES),
  );
  if (long < 0) return [topics];
  const values = topics[long] as readonly Hex[];
  const parts = Math.ceil(values.length / TOPIC_VALUES);
  return Array.from({ length: parts }, (_, part) =>
    topics.map((topic, index) =>
      index === long ? values.slice(part * TOPIC_VALUES, (part + 1) * TOPIC_VALUES) : topic,
    ),
  ).flatMap(inChunks);
}
