import { setInterval } from "node:timers";
import { createTransport, HttpRequestError, type Transport } from "viem";
import { type CircuitStanding, createNodeCircuit, type NodeCircuit } from "./circuit.ts";
import { isUnavailable } from "./reverts.ts";
import { nodeTransport } from "./transport.ts";

/** One node, as operators see it. */
export interface NodeState {
  /** Host and port: paths and queries of providers hold keys. */
  readonly host: string;
  readonly standing: CircuitStanding;
  /** Whether it has asked for a pause, with status 429. */
  readonly isResting: boolean;
  /** Blocks by which its head is behind the newest of all nodes; null while it is not known. */
  readonly blocksBehind: number | null;
}

/** The nodes of one chain, in the operator's order of preference. */
export interface ChainNodes {
  readonly urls: readonly [string, ...string[]];
  /**
   * A transport that asks the first usable node, and the next one when that does not answer. A
   * refusal or a revert is an answer. Each node has `timeoutMs`.
   */
  transport(timeoutMs: number): Transport;
  /** The best standing of all nodes: `open` when none is asked. */
  standing(): CircuitStanding;
  states(): readonly NodeState[];
  /** Reads each node's head once. Never rejects. */
  compareHeads(): Promise<void>;
  /** Compares heads regularly, where there is more than one node, until `stop`. */
  start(): void;
  stop(): void;
}

export interface ChainNodesOptions {
  readonly urls: readonly [string, ...string[]];
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** For tests: how long an open circuit lasts. */
  readonly pauseMs?: number;
}

interface Node {
  readonly url: string;
  readonly host: string;
  readonly circuit: NodeCircuit;
  restsUntil: number;
  /** Rests that followed each other without an answer in between. */
  rests: number;
  head: bigint | null;
}

/**
 * A node this far behind the newest head is used only when no other can be. A live check must not
 * read old state; two blocks are what honest providers differ by.
 */
const MAX_BLOCKS_BEHIND = 2n;
const COMPARE_MS = 5_000;
const COMPARE_TIMEOUT_MS = 2_000;
const TOO_MANY_REQUESTS = 429;
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;
/** Requests to one node alone are repeated once; with several nodes the next one is asked. */
const RETRY_DELAY_MS = 100;

export function createChainNodes({ urls, now, pauseMs }: ChainNodesOptions): ChainNodes {
  const nodes = urls.map(
    (url): Node => ({
      url,
      host: new URL(url).host,
      circuit: createNodeCircuit(pauseMs),
      restsUntil: 0,
      rests: 0,
      head: null,
    }),
  );
  const retryCount = nodes.length === 1 ? 1 : 0;
  let timer: NodeJS.Timeout | undefined;

  function newestHead(): bigint | null {
    return nodes.reduce<bigint | null>(
      (newest, { head }) => (head !== null && (newest === null || head > newest) ? head : newest),
      null,
    );
  }

  function blocksBehind({ head }: Node): bigint | null {
    const newest = newestHead();
    return head === null || newest === null ? null : newest - head;
  }

  /** Lower is better. The order of preference decides between equals. */
  function burden(node: Node): number {
    const isBehind = (blocksBehind(node) ?? 0n) > MAX_BLOCKS_BEHIND;
    const isResting = now() < node.restsUntil;
    const isDown = node.circuit.standing() !== "closed";
    return (isDown ? 4 : 0) + (isResting ? 2 : 0) + (isBehind ? 1 : 0);
  }

  function byHealth(): readonly Node[] {
    return nodes
      .map((node) => ({ node, burden: burden(node) }))
      .sort((a, b) => a.burden - b.burden)
      .map(({ node }) => node);
  }

  function answered(node: Node): void {
    node.rests = 0;
  }

  /** A provider that limits requests is asked again after a time that doubles, up to half a minute. */
  function failed(node: Node, error: unknown): void {
    if (!(error instanceof HttpRequestError) || error.status !== TOO_MANY_REQUESTS) return;
    node.restsUntil = now() + Math.min(FIRST_REST_MS * 2 ** node.rests, LONGEST_REST_MS);
    node.rests += 1;
  }

  function transportOf({ url, circuit }: Node, timeoutMs: number): Transport {
    return nodeTransport({ url, timeoutMs, retryCount, retryDelay: RETRY_DELAY_MS, circuit });
  }

  const chainNodes: ChainNodes = {
    urls,

    transport(timeoutMs) {
      const transports = new Map(nodes.map((node) => [node, transportOf(node, timeoutMs)]));
      return (parameters) => {
        const requests = new Map(
          [...transports].map(([node, transport]) => [node, transport(parameters).request]),
        );
        return createTransport({
          key: "nodes",
          name: "JSON-RPC of several nodes",
          type: "nodes",
          retryCount: 0,
          timeout: timeoutMs,
          async request(call) {
            let lastError: unknown;
            for (const node of byHealth()) {
              try {
                const answer = await requests.get(node)?.(call);
                answered(node);
                return answer as never;
              } catch (error) {
                if (!isUnavailable(error)) throw error;
                failed(node, error);
                lastError = error;
              }
            }
            throw lastError;
          },
        });
      };
    },

    standing() {
      const standings = nodes.map(({ circuit }) => circuit.standing());
      if (standings.includes("closed")) return "closed";
      return standings.includes("half-open") ? "half-open" : "open";
    },

    states: () =>
      nodes.map((node) => {
        const behind = blocksBehind(node);
        return {
          host: node.host,
          standing: node.circuit.standing(),
          isResting: now() < node.restsUntil,
          blocksBehind: behind === null ? null : Number(behind),
        };
      }),

    async compareHeads() {
      const heads = await Promise.all(
        nodes.map((node) =>
          transportOf(
            node,
            COMPARE_TIMEOUT_MS,
          )({})
            .request({ method: "eth_blockNumber" })
            .then((head) => BigInt(head as string))
            .catch(() => null),
        ),
      );
      for (const [index, node] of nodes.entries()) node.head = heads[index] ?? null;
    },

    start() {
      if (nodes.length === 1 || timer !== undefined) return;
      timer = setInterval(() => void chainNodes.compareHeads(), COMPARE_MS);
      timer.unref();
      void chainNodes.compareHeads();
    },

    stop() {
      clearInterval(timer);
    },
  };
  return chainNodes;
}
