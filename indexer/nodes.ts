import { setInterval } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import {
  createPublicClient,
  createTransport,
  type EIP1193RequestFn,
  type Hex,
  HttpRequestError,
  hexToBigInt,
  http,
  numberToHex,
  type Transport,
  webSocket,
} from "viem";
import { nodeTransport } from "../api/platform/chain/transport.ts";
import { isRefusedRange, isTooManyRequests, searchBlocks } from "../protocol/block-ranges.ts";
import { assertChain, WrongChainError, wrongChainMessage } from "../protocol/chain-check.ts";
import { createNodeRanking, type NodeRanking, retryAfterMs } from "../protocol/node-ranking.ts";
import {
  type AnsweredLog,
  type CompleteLogs,
  createCompleteLogs,
  type Header,
  type LogFilter,
  logKey,
  MissingLogsError,
  RECENT_BLOCKS,
  type Request,
  type RpcCall,
} from "./complete-logs.ts";

// The nodes that the indexer reads from. Ponder repeats a failed request ten times over a minute, a
// refused range that it does not recognise too, and then ends. So ranges are split here. An answer
// that lacks logs is a failure of its node: the next one is asked.

const TIMEOUT_MS = 10_000;
const COMPARE_MS = 5_000;
const COMPARE_TIMEOUT_MS = 2_000;

interface Node {
  readonly url: string;
  readonly request: Request;
  /** Asks for the head and for the chain within a short time. */
  readonly probe: Request;
  isVerified: boolean;
}

class UnknownBlockError extends Error {
  override readonly name = "UnknownBlockError";
}

export interface IndexerNodes {
  /** All logs of a block, from its receipts. */
  readonly logsOf: CompleteLogs["logsOf"];
  /** Asks the best node first, and the others when it has no usable answer. */
  readonly transport: Transport;
  /** Compares the heads once, and then regularly, where there is more than one. Never rejects. */
  start(): Promise<void>;
}

/** The URLs that `RPC_URL` lists. */
export function nodeUrls(list: string): readonly string[] {
  return list.split(",").map((url) => url.trim());
}

/**
 * The nodes of `RPC_URL`, in the operator's order of preference.
 *
 * @param recentBlocks Blocks behind the head of which each one is checked.
 */
export function connectNodes(
  urls: readonly string[],
  chainId: number,
  recentBlocks = RECENT_BLOCKS,
): IndexerNodes {
  const ranking = createNodeRanking(urls.length, () => performance.now());
  const nodes = urls.map((url): Node => {
    const requestOf = (timeoutMs: number) => {
      // A limit would let a large answer to eth_getLogs fail for ever.
      const limits = { timeoutMs, retryCount: 0, retryDelay: 0, maxAnswerBytes: -1 };
      return nodeTransport({ url, ...limits })({}).request as unknown as Request;
    };
    return {
      url,
      request: requestOf(TIMEOUT_MS),
      probe: requestOf(COMPARE_TIMEOUT_MS),
      isVerified: false,
    };
  });

  async function verify(node: Node, request: Request): Promise<void> {
    if (node.isVerified) return;
    const actual = Number(await request({ method: "eth_chainId" }));
    if (actual !== chainId) {
      throw new WrongChainError(
        wrongChainMessage({ variable: "RPC_URL", url: node.url }, actual, chainId),
      );
    }
    node.isVerified = true;
  }

  async function compareHeads(): Promise<void> {
    const probes = await Promise.all(
      nodes.map(async (node, place) => {
        if (ranking.standing(place).restsForMs > 0) return null;
        try {
          await verify(node, node.probe);
          const askedAt = performance.now();
          const head = hexToBigInt((await node.probe({ method: "eth_blockNumber" })) as Hex);
          return { head, ms: performance.now() - askedAt };
        } catch {
          return null;
        }
      }),
    );
    ranking.compared(probes);
  }

  /** The first usable answer. Otherwise a refusal, which is worth more than no answer. */
  async function ask(read: (node: Node) => Promise<unknown>): Promise<unknown> {
    let refusal: unknown;
    let failure: unknown;
    for (const [attempt, place] of ranking.order().entries()) {
      const node = nodes[place] as Node;
      const { restsForMs } = ranking.standing(place);
      // When the best one rests, all do.
      if (restsForMs > 0 && attempt > 0) continue;
      if (restsForMs > 0) await delay(restsForMs);
      try {
        await verify(node, node.request);
        const answer = await read(node);
        ranking.answered(place);
        return answer;
      } catch (cause) {
        const error = cause instanceof MissingLogsError ? ofNode(cause, node) : cause;
        if (isRefusedRange(error)) refusal ??= error;
        else failure ??= error;
        note(ranking, place, error);
      }
    }
    throw refusal ?? failure;
  }

  const complete = createCompleteLogs((call) => ask((node) => node.request(call)), recentBlocks);

  async function logsOfBlock(
    node: Node,
    call: RpcCall,
    hash: Hex,
  ): Promise<readonly AnsweredLog[]> {
    const [logs, header] = await Promise.all([
      node.request(call) as Promise<readonly AnsweredLog[]>,
      node.request({ method: "eth_getBlockByHash", params: [hash, false] }),
    ]);
    // A reorganization can have removed it.
    if (header !== null) await complete.assertBlock(header as Header, logs);
    return logs;
  }

  /** The logs of a range: each recent block is checked, and older ones are compared. */
  async function logsOfRange(
    node: Node,
    filter: LogFilter,
    first: bigint,
    last: bigint,
  ): Promise<readonly AnsweredLog[]> {
    const call = { method: "eth_getLogs", params: [filter] };
    const logs = (await node.request(call)) as readonly AnsweredLog[];
    const firstRecent = await complete.firstRecent();
    const recent = firstRecent > first ? firstRecent : first;
    await complete.assertEach(filter, logs, recent, last);
    if (recent === first) return logs;
    const second = await askSecond(node, call);
    const lastOld = last < recent ? last : recent - 1n;
    if (second === null) await complete.assertSample(filter, logs, first, lastOld);
    else assertAll(logs, second);
    return logs;
  }

  /** The answer of another node; null without one. */
  async function askSecond(node: Node, call: RpcCall): Promise<readonly AnsweredLog[] | null> {
    const places = ranking.order().filter((place) => ranking.standing(place).restsForMs === 0);
    const second = places.map((place) => nodes[place] as Node).find((one) => one !== node);
    if (second === undefined) return null;
    try {
      await verify(second, second.request);
      return (await second.request(call)) as readonly AnsweredLog[];
    } catch {
      return null;
    }
  }

  const request: Request = async (call) => {
    const [filter] = (call.params ?? []) as readonly LogFilter[];
    if (call.method === "eth_getBlockByHash" || call.method === "eth_getBlockByNumber") {
      return ask((node) => knownBlock(node, call)).catch(nullForUnknown);
    }
    if (call.method !== "eth_getLogs" || filter === undefined) {
      return ask((node) => node.request(call));
    }
    const { blockHash, fromBlock, toBlock } = filter;
    if (blockHash !== undefined) return ask((node) => logsOfBlock(node, call, blockHash));
    if (!isNumber(fromBlock) || !isNumber(toBlock)) return ask((node) => node.request(call));
    const parts: (readonly AnsweredLog[])[] = [];
    await searchBlocks({
      firstBlock: hexToBigInt(fromBlock),
      lastBlock: hexToBigInt(toBlock),
      isRefused: isRefusedRange,
      async inRange(first, last) {
        const part = { ...filter, fromBlock: numberToHex(first), toBlock: numberToHex(last) };
        parts.push(
          (await ask((node) => logsOfRange(node, part, first, last))) as readonly AnsweredLog[],
        );
        return null;
      },
    });
    return parts.reverse().flat();
  };

  return {
    logsOf: complete.logsOf,
    transport: () =>
      createTransport({
        key: "nodes",
        name: "JSON-RPC of the indexer's nodes",
        type: "nodes",
        retryCount: 0,
        request: request as unknown as EIP1193RequestFn,
      }),
    async start() {
      if (nodes.length === 1) return;
      setInterval(() => void compareHeads(), COMPARE_MS).unref();
      await compareHeads();
    },
  };
}

function note(ranking: NodeRanking, place: number, error: unknown): void {
  if (isTooManyRequests(error)) {
    const { headers } = error as { readonly headers?: Headers };
    ranking.limited(place, retryAfterMs(headers?.get("retry-after"), Date.now()));
    return;
  }
  const isAnswer = isRefusedRange(error) && !(error instanceof HttpRequestError);
  if (isAnswer || error instanceof UnknownBlockError) ranking.answered(place);
  else ranking.failed(place);
}

/** One node may be a block or two behind another. */
async function knownBlock(node: Node, call: RpcCall): Promise<unknown> {
  const block = await node.request(call);
  if (block === null) throw new UnknownBlockError("The node does not know the block.");
  return block;
}

function nullForUnknown(error: unknown): null {
  if (error instanceof UnknownBlockError) return null;
  throw error;
}

function ofNode({ block }: MissingLogsError, { url }: Node): MissingLogsError {
  return new MissingLogsError(block, new URL(url).host);
}

/** @throws MissingLogsError when the second answer has a log that the first lacks. */
function assertAll(logs: readonly AnsweredLog[], second: readonly AnsweredLog[]): void {
  const known = new Set(logs.map(logKey));
  const missing = second.find((log) => !known.has(logKey(log)));
  if (missing !== undefined) throw new MissingLogsError(hexToBigInt(missing.blockNumber));
}

function isNumber(block: string | undefined): block is Hex {
  return block?.startsWith("0x") === true;
}

/**
 * Asks the nodes of `RPC_URL` and `RPC_WS_URL` for their chain. One that is silent now is not
 * judged.
 *
 * @throws WrongChainError when one is on another chain.
 */
export function assertChainOfNodes(
  { urls, socketUrl }: { readonly urls: readonly string[]; readonly socketUrl: string | undefined },
  expected: number,
): Promise<void> {
  const limits = { timeout: COMPARE_TIMEOUT_MS, retryCount: 0 };
  const nodes = urls.map((url) => ({
    variable: "RPC_URL",
    url,
    chainId: () => createPublicClient({ transport: http(url, limits) }).getChainId(),
  }));
  if (socketUrl === undefined) return assertChain(nodes, expected);
  const socket = {
    variable: "RPC_WS_URL",
    url: socketUrl,
    async chainId() {
      const transport = webSocket(socketUrl, { ...limits, reconnect: false });
      const client = createPublicClient({ transport });
      try {
        return await client.getChainId();
      } finally {
        const opened = await client.transport.getRpcClient().catch(() => null);
        opened?.close();
      }
    },
  };
  return assertChain([...nodes, socket], expected);
}
