import { LRUCache } from "lru-cache";
import { type Hex, hexToBigInt, hexToBytes, keccak256, numberToHex } from "viem";
import { isRefusedRange } from "../protocol/block-ranges.ts";

// Whether an answer to eth_getLogs has every log. A node can know a block before it has indexed its logs, and answers
// with none until then. Ponder would never ask for them again.

/** Blocks behind the head of which each one is checked. */
export const RECENT_BLOCKS = 1_000n;
/** Blocks of an older range that are checked when no second node has answered for it. */
const SAMPLES = 4n;
/** Blocks that are read at the same time. */
const AT_ONCE = 20;
const HEAD_MS = 2_000;
/** Final blocks do not change. A block that was replaced before is read again after this time. */
const KEPT_MS = 30_000;
const BLOOM_BYTES = 256;

export type Request = (call: RpcCall) => Promise<unknown>;

export interface RpcCall {
  readonly method: string;
  readonly params?: unknown;
}

type OneOf = Hex | readonly Hex[] | null;

export interface LogFilter {
  readonly fromBlock?: Hex;
  readonly toBlock?: Hex;
  readonly blockHash?: Hex;
  readonly address?: OneOf;
  readonly topics?: readonly OneOf[];
}

/** The parts of a log that are compared. */
export interface AnsweredLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
}

export interface Header {
  readonly number: Hex;
  readonly hash: Hex;
  readonly logsBloom?: Hex | null;
  readonly transactions: readonly Hex[];
}

interface Receipt {
  readonly blockHash: Hex;
  readonly logs: readonly AnsweredLog[];
}

/** A node answered without logs of a block that has some. */
export class MissingLogsError extends Error {
  override readonly name = "MissingLogsError";
  constructor(
    readonly block: bigint,
    host?: string,
  ) {
    const node = host === undefined ? "The node" : `The node ${host}`;
    super(`${node} has not indexed the logs of block ${block} yet.`);
  }
}

export type CompleteLogs = ReturnType<typeof createCompleteLogs>;

/**
 * @param request asks any node for blocks, receipts and the head.
 * @param recentBlocks Blocks behind the head of which each one is checked.
 */
export function createCompleteLogs(request: Request, recentBlocks: bigint) {
  const headers = new LRUCache<bigint, Promise<Header>>({ max: 4_000, ttl: KEPT_MS });
  const logs = new LRUCache<Hex, Promise<readonly AnsweredLog[]>>({ max: 1_000, ttl: KEPT_MS });
  const heads = new LRUCache<"head", Promise<bigint>>({ max: 1, ttl: HEAD_MS });
  let hasBlooms = false;
  let hasBlockReceipts = true;

  /** The bloom filter of a block; null when it says nothing. Some chains have none. */
  function bloomOf({ logsBloom }: Header): Uint8Array | null {
    const bloom = logsBloom ? hexToBytes(logsBloom) : new Uint8Array(BLOOM_BYTES);
    hasBlooms ||= bloom.some((byte) => byte !== 0);
    return hasBlooms ? bloom : null;
  }

  const headerAt = (number: bigint) =>
    cached(headers, number, async () => {
      const params = [numberToHex(number), false];
      const header = (await request({ method: "eth_getBlockByNumber", params })) as Header | null;
      if (header === null) throw new MissingLogsError(number);
      return header;
    });

  async function receiptsOf({ hash, transactions }: Header): Promise<readonly Receipt[]> {
    if (hasBlockReceipts) {
      try {
        const params = [hash];
        return ((await request({ method: "eth_getBlockReceipts", params })) ?? []) as Receipt[];
      } catch (error) {
        // A node that answers with an error does not know the method.
        if (!isRefusedRange(error)) throw error;
        hasBlockReceipts = false;
      }
    }
    const receipts = await inGroups(transactions, (transaction) =>
      request({ method: "eth_getTransactionReceipt", params: [transaction] }),
    );
    return receipts.filter((receipt) => receipt !== null) as Receipt[];
  }

  /** @throws MissingLogsError when the receipts are incomplete too. */
  const logsByReceipts = (header: Header) =>
    cached(logs, header.hash, async () => {
      const receipts = await receiptsOf(header);
      const found = receipts.flatMap((receipt) => receipt.logs);
      const isOfBlock = receipts.every(({ blockHash }) => blockHash === header.hash);
      const isWhole = isOfBlock && receipts.length === header.transactions.length;
      const bloom = bloomOf(header);
      if (!isWhole || (bloom !== null && !covers(bloomOfLogs(found), bloom))) {
        throw new MissingLogsError(hexToBigInt(header.number));
      }
      return found;
    });

  async function assertBlocks(
    filter: LogFilter,
    answer: readonly AnsweredLog[],
    numbers: readonly bigint[],
  ): Promise<void> {
    const byBlock = Map.groupBy(answer, ({ blockNumber }) => hexToBigInt(blockNumber));
    await inGroups(numbers, async (number) => {
      const header = await headerAt(number);
      const found = byBlock.get(number)?.length ?? 0;
      const bloom = bloomOf(header);
      if (header.transactions.length === 0) return;
      if (found === 0 && bloom !== null && !mayContain(bloom, filter)) return;
      const all = await logsByReceipts(header);
      if (all.filter((log) => matches(log, filter)).length > found) {
        throw new MissingLogsError(number);
      }
    });
  }

  return {
    /** The first block of which each one is checked. */
    async firstRecent(): Promise<bigint> {
      const head = await cached(heads, "head", async () =>
        hexToBigInt((await request({ method: "eth_blockNumber", params: [] })) as Hex),
      );
      return head < recentBlocks ? 0n : head - recentBlocks;
    },

    /** @throws MissingLogsError when one of these blocks, both included, has more logs that match. */
    assertEach(filter: LogFilter, answer: readonly AnsweredLog[], first: bigint, last: bigint) {
      const count = last < first ? 0 : Number(last - first) + 1;
      const numbers = Array.from({ length: count }, (_, index) => first + BigInt(index));
      return assertBlocks(filter, answer, numbers);
    },

    /** The same for a few of these blocks. */
    assertSample(filter: LogFilter, answer: readonly AnsweredLog[], first: bigint, last: bigint) {
      const step = (last - first) / SAMPLES + 1n;
      const numbers: bigint[] = [];
      for (let number = last; number >= first; number -= step) numbers.push(number);
      return assertBlocks(filter, answer, numbers);
    },

    /**
     * @param answer All logs of the block.
     * @throws MissingLogsError when the block has more.
     */
    async assertBlock(header: Header, answer: readonly AnsweredLog[]): Promise<void> {
      const bloom = bloomOf(header);
      const isWhole =
        bloom === null
          ? (await logsByReceipts(header)).length <= answer.length
          : covers(bloomOfLogs(answer), bloom);
      if (!isWhole) throw new MissingLogsError(hexToBigInt(header.number));
    },

    /** All logs of a block, from its receipts. */
    async logsOf(number: bigint): Promise<readonly AnsweredLog[]> {
      return logsByReceipts(await headerAt(number));
    },
  };
}

/** Equal for the same log in the same place. */
export function logKey(log: AnsweredLog): string {
  return [log.blockHash, BigInt(log.logIndex), log.address, ...log.topics, log.data]
    .join(" ")
    .toLowerCase();
}

function matches(log: AnsweredLog, { address, topics = [] }: LogFilter): boolean {
  return (
    isOneOf(log.address, address) &&
    topics.every((topic, index) => {
      const own = log.topics[index];
      return isEmpty(topic) || (own !== undefined && isOneOf(own, topic));
    })
  );
}

function isEmpty(wanted: OneOf | undefined): wanted is null | undefined {
  return wanted === null || wanted === undefined;
}

function isOneOf(value: Hex, wanted: OneOf | undefined): boolean {
  if (isEmpty(wanted)) return true;
  return [wanted].flat().some((one) => one.toLowerCase() === value.toLowerCase());
}

/** Whether a block with this bloom filter may have a log that matches. */
function mayContain(bloom: Uint8Array, { address, topics = [] }: LogFilter): boolean {
  return [address, ...topics].every(
    (wanted) =>
      isEmpty(wanted) || [wanted].flat().some((one) => covers(bloom, bloomOfValues([one]))),
  );
}

function bloomOfLogs(logs: readonly AnsweredLog[]): Uint8Array {
  return bloomOfValues(new Set(logs.flatMap(({ address, topics }) => [address, ...topics])));
}

/** Three bits for each value: the low 11 bits of the first three words of its hash. */
function bloomOfValues(values: Iterable<Hex>): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const value of values) {
    const hash = keccak256(value, "bytes");
    for (const word of [0, 2, 4]) {
      const bit = (((hash[word] ?? 0) << 8) | (hash[word + 1] ?? 0)) & 0x7ff;
      const place = BLOOM_BYTES - 1 - (bit >> 3);
      bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7));
    }
  }
  return bloom;
}

function covers(outer: Uint8Array, inner: Uint8Array): boolean {
  return inner.every((byte, index) => (byte & ~(outer[index] ?? 0)) === 0);
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}

/** Several ask for the same at once. A failure is not kept. */
function cached<Key extends {}, Value>(
  cache: LRUCache<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const reading = read();
  cache.set(key, reading);
  reading.catch(() => cache.delete(key));
  return reading;
}
