import { type Hex, hexToNumber, numberToHex, zeroAddress, zeroHash } from "viem";
import { serveForParent } from "../lib/serve.ts";
import { readSettings } from "../lib/settings.ts";
import { CONTRACTS, type GeneratedTransaction, generateTransactions, hashOf } from "./events.ts";

// A chain of generated blocks that answers the requests of an indexer. Answers are built once, so
// that little of the machine's time goes into this process.

const EVENTS_PER_BLOCK = 20;
const SECONDS_PER_BLOCK = 2;
/** The indexers take a block for final that has 30 successors. */
const EMPTY_BLOCKS_AT_END = 40;
const GENESIS_TIME = 1_750_000_000;
const NO_BLOOM: Hex = `0x${"00".repeat(256)}`;
/** Every filter matches it: the indexers then look at the logs. */
const FULL_BLOOM: Hex = `0x${"ff".repeat(256)}`;
const WORD = `${"5c".repeat(32)}`;
/** As long as a usual call: a selector and twelve words. */
const INPUT: Hex = `0xa1b2c3d4${WORD.repeat(12)}`;

interface Filter {
  readonly address?: Hex | readonly Hex[];
  readonly topics?: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock?: Hex;
  readonly toBlock?: Hex;
  readonly blockHash?: Hex;
}

interface StoredLog {
  readonly address: Hex;
  readonly topic: Hex | undefined;
  readonly text: string;
}

interface StoredBlock {
  readonly full: string;
  readonly short: string;
  readonly logs: readonly StoredLog[];
}

const { chainId, events } = readSettings(["chainId", "events"]);
const blocks = buildBlocks(Number(events));
const numbers = new Map(blocks.map((_block, number) => [blockHash(number), number]));

await serveForParent((app) => {
  app.get("/size", (c) => {
    const logs = blocks.reduce((sum, block) => sum + block.logs.length, 0);
    return c.json({ events: logs, blocks: blocks.length });
  });
  app.post("/", async (c) => {
    const { id, method, params } = await c.req.json();
    const result = answer(method, params);
    c.header("content-type", "application/json");
    return c.body(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  });
});

/** The answer's JSON. */
function answer(method: string, params: readonly unknown[]): string {
  switch (method) {
    case "eth_chainId":
      return JSON.stringify(numberToHex(Number(chainId)));
    case "eth_blockNumber":
      return JSON.stringify(numberToHex(blocks.length - 1));
    case "eth_getBlockByNumber": {
      const [tag, isFull] = params as [string, boolean];
      const number = tag.startsWith("0x") ? hexToNumber(tag as Hex) : blocks.length - 1;
      return blockText(blocks[number], isFull);
    }
    case "eth_getBlockByHash": {
      const [hash, isFull] = params as [Hex, boolean];
      return blockText(blocks[numbers.get(hash) ?? -1], isFull);
    }
    case "eth_getLogs":
      return logsText(params[0] as Filter);
    default:
      throw new Error(`The chain of the benchmark does not know ${method}.`);
  }
}

function blockText(block: StoredBlock | undefined, isFull: boolean): string {
  if (block === undefined) return "null";
  return isFull ? block.full : block.short;
}

function logsText({ address, topics, fromBlock, toBlock, blockHash: hash }: Filter): string {
  const own = hash === undefined ? undefined : numbers.get(hash);
  const first = own ?? hexToNumber(fromBlock ?? "0x0");
  const last = own ?? hexToNumber(toBlock ?? numberToHex(blocks.length - 1));
  const addresses = address === undefined ? undefined : new Set([address].flat());
  const [topic] = topics ?? [];
  const firstTopics = topic ? new Set([topic].flat()) : undefined;
  const found = blocks
    .slice(first, last + 1)
    .flatMap(({ logs }) => logs)
    .filter(
      (log) =>
        addresses?.has(log.address) !== false &&
        (firstTopics === undefined || (log.topic !== undefined && firstTopics.has(log.topic))),
    );
  return `[${found.map(({ text }) => text).join(",")}]`;
}

function buildBlocks(count: number): StoredBlock[] {
  const contents: GeneratedTransaction[][] = [[]];
  let current: GeneratedTransaction[] = [];
  let size = 0;
  for (const transaction of generateTransactions(count)) {
    current.push(transaction);
    size += transaction.length;
    if (size < EVENTS_PER_BLOCK) continue;
    contents.push(current);
    [current, size] = [[], 0];
  }
  contents.push(current);
  for (let i = 0; i < EMPTY_BLOCKS_AT_END; i += 1) contents.push([]);
  return contents.map(buildBlock);
}

function buildBlock(content: readonly GeneratedTransaction[], number: number): StoredBlock {
  const place = { blockHash: blockHash(number), blockNumber: numberToHex(number) };
  const transactions = content.map((_logs, index) => ({
    ...place,
    hash: hashOf(`transaction ${number} ${index}`),
    transactionIndex: numberToHex(index),
    from: `0x${hashOf(`sender ${number}`).slice(26)}`,
    to: CONTRACTS.soulRegistry,
    input: INPUT,
    value: "0x0",
    nonce: numberToHex(number),
    gas: "0xf4240",
    gasPrice: "0x3b9aca00",
    maxFeePerGas: "0x3b9aca00",
    maxPriorityFeePerGas: "0x0",
    type: "0x2",
    chainId: numberToHex(Number(chainId)),
    accessList: [],
    v: "0x1",
    yParity: "0x1",
    r: `0x${WORD}`,
    s: `0x${WORD}`,
  }));
  const logs = content.flatMap((transactionLogs, index) =>
    transactionLogs.map((log) => ({
      ...log,
      ...place,
      transactionHash: transactions[index]?.hash,
      transactionIndex: numberToHex(index),
    })),
  );
  const block = {
    number: place.blockNumber,
    hash: place.blockHash,
    parentHash: number === 0 ? zeroHash : blockHash(number - 1),
    timestamp: numberToHex(GENESIS_TIME + number * SECONDS_PER_BLOCK),
    logsBloom: logs.length === 0 ? NO_BLOOM : FULL_BLOOM,
    miner: zeroAddress,
    gasUsed: "0x989680",
    gasLimit: "0x1c9c380",
    baseFeePerGas: "0x3b9aca00",
    nonce: "0x0000000000000000",
    mixHash: zeroHash,
    stateRoot: zeroHash,
    receiptsRoot: zeroHash,
    transactionsRoot: zeroHash,
    sha3Uncles: zeroHash,
    size: "0x2000",
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    uncles: [],
  };
  return {
    full: JSON.stringify({ ...block, transactions }),
    short: JSON.stringify({ ...block, transactions: transactions.map(({ hash }) => hash) }),
    logs: logs.map((log, index) => ({
      address: log.address,
      topic: log.topics[0],
      text: JSON.stringify({ ...log, logIndex: numberToHex(index), removed: false }),
    })),
  };
}

function blockHash(number: number): Hex {
  return hashOf(`block ${number}`);
}
