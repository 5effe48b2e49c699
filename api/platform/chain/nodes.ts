import { setInterval } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import {
  createTransport,
  type EIP1193RequestFn,
  HttpRequestError,
  RpcRequestError,
  type Transport,
} from "viem";
import { isTooManyRequests } from "../../../protocol/block-ranges.ts";
import { wrongChainMessage } from "../../../protocol/chain-check.ts";
import { createNodeRanking, retryAfterMs } from "../../../protocol/node-ranking.ts";
import { type CircuitStanding, createNodeCircuit, type NodeCircuit } from "./circuit.ts";
import { isUnavailable } from "./reverts.ts";
import { nodeTransport } from "./transport.ts";

/** One node, as operators see it. */
export interface NodeState {
  /** Host and port: paths and queries of providers hold keys. */
  readonly host: string;
  /** `open`, too, for a node of another chain. */
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
   * refusal or a revert is an answer. Each node has `timeoutMs`. A node of another chain is never
   * used: it is asked for its chain id before its first answer counts, and after each outage.
   */
  transport(timeoutMs: number): Transport;
  /** The best standing of all nodes: `open` when none is asked. */
  standing(): CircuitStanding;
  /** Milliseconds since a node of the right chain last answered with a result, or since the start. */
  answerAgeMs(): number;
  states(): readonly NodeState[];
  /** Reads each node's head once. Never rejects. */
  compareHeads(): Promise<void>;
  /** Compares heads regularly, where there is more than one node, until `stop`. */
  start(): void;
  stop(): void;
}

export interface ChainNodesOptions {
  readonly urls: readonly [string, ...string[]];
  /** The deployment's chain. */
  readonly chainId: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** For tests: how long an open circuit lasts. */
  readonly pauseMs?: number;
}

interface RpcCall {
  readonly method: string;
  readonly params?: unknown;
}

interface Node {
  readonly url: string;
  readonly host: string;
  /** Its place in the ranking. */
  readonly place: number;
  readonly circuit: NodeCircuit;
  /** Whether it has answered that it is on the right chain, since its last outage. */
  isVerified: boolean;
  /** The wrong chain that it last answered; null otherwise. */
  wrongChain: number | null;
}

const COMPARE_MS = 5_000;
const COMPARE_TIMEOUT_MS = 2_000;
/** JSON-RPC codes of the errors that this file raises itself. */
const TOO_MANY_REQUESTS = 429;
const RESOURCE_UNAVAILABLE = -32002;
/** Requests to one node alone are repeated once; with several nodes the next one is asked. */
const RETRY_DELAY_MS = 100;
/** A pause that the only usable node asked for is waited for, if it is this short. */
const WAITED_REST_MS = 1_000;

export function createChainNodes({ urls, chainId, now, pauseMs }: ChainNodesOptions): ChainNodes {
  const ranking = createNodeRanking(urls.length, now);
  const nodes = urls.map(
    (url, place): Node => ({
      url,
      host: new URL(url).host,
      place,
      circuit: createNodeCircuit(pauseMs),
      isVerified: false,
      wrongChain: null,
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  let answeredAt = now();

  const standingOf = ({ wrongChain, circuit }: Node): CircuitStanding =>
    wrongChain === null ? circuit.standing() : "open";
  const isOut = (node: Node) => standingOf(node) !== "closed";

  function byHealth(): readonly Node[] {
    const order = ranking.order((place) => isOut(nodes[place] as Node));
    return order.map((place) => nodes[place] as Node);
  }

  function failed(node: Node, error: unknown): void {
    // After an outage another node may answer under its name.
    if (node.circuit.standing() !== "closed") node.isVerified = false;
    if (isTooManyRequests(error)) {
      const headers = error instanceof HttpRequestError ? error.headers : undefined;
      ranking.limited(node.place, retryAfterMs(headers?.get("retry-after"), Date.now()));
    } else ranking.failed(node.place);
  }

  /** The error instead of a request to a node that asked for a pause; null when it has ended. */
  function pauseOf({ host, url, place }: Node, body: RpcCall): RpcRequestError | null {
    const { restsForMs } = ranking.standing(place);
    if (restsForMs <= WAITED_REST_MS) return null;
    const seconds = Math.ceil(restsForMs / 1_000);
    const message = `The node ${host} limits requests. It is asked again in ${seconds} s.`;
    return new RpcRequestError({
      body: { method: body.method },
      url,
      error: { code: TOO_MANY_REQUESTS, message },
    });
  }

  function wrongChainError(url: string, actual: number, body: RpcCall): RpcRequestError {
    const message = wrongChainMessage({ variable: "RPC_URL", url }, actual, chainId);
    return new RpcRequestError({
      body: { method: body.method },
      url,
      error: { code: RESOURCE_UNAVAILABLE, message },
    });
  }

  async function askNode(node: Node, request: EIP1193RequestFn, call: RpcCall): Promise<unknown> {
    const { restsForMs } = ranking.standing(node.place);
    if (restsForMs > 0 && nodes.length === 1) await delay(restsForMs);
    if (call.method !== "eth_chainId" && !node.isVerified) {
      learnChain(node, await request({ method: "eth_chainId" }));
      if (node.wrongChain !== null) throw wrongChainError(node.url, node.wrongChain, call);
    }
    const answer = await request(call as never);
    if (call.method === "eth_chainId") learnChain(node, answer);
    if (node.isVerified) answeredAt = now();
    return answer;
  }

  function learnChain(node: Node, answer: unknown): void {
    const actual = Number(answer);
    node.isVerified = actual === chainId;
    node.wrongChain = node.isVerified ? null : actual;
  }

  function transportOf({ url, circuit }: Node, timeoutMs: number): Transport {
    // Repeats are this file's: viem's own would wait as long as a node asks for.
    return nodeTransport({ url, timeoutMs, retryCount: 0, retryDelay: 0, circuit });
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
            const order = byHealth();
            const asked = order.length === 1 ? [...order, ...order] : order;
            let lastError: unknown;
            for (const [attempt, node] of asked.entries()) {
              const pause = pauseOf(node, call);
              if (pause !== null) {
                lastError ??= pause;
                continue;
              }
              if (attempt > 0 && nodes.length === 1) {
                if (isOut(node)) break;
                await delay(RETRY_DELAY_MS);
              }
              try {
                const answer = await askNode(node, requests.get(node) as EIP1193RequestFn, call);
                ranking.answered(node.place);
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
      const standings = nodes.map(standingOf);
      if (standings.includes("closed")) return "closed";
      return standings.includes("half-open") ? "half-open" : "open";
    },

    answerAgeMs: () => now() - answeredAt,

    states: () =>
      nodes.map((node) => {
        const { restsForMs, blocksBehind } = ranking.standing(node.place);
        return {
          host: node.host,
          standing: standingOf(node),
          isResting: restsForMs > 0,
          blocksBehind,
        };
      }),

    async compareHeads() {
      const probes = await Promise.all(
        nodes.map(async (node) => {
          if (ranking.standing(node.place).restsForMs > 0) return null;
          const { request } = transportOf(node, COMPARE_TIMEOUT_MS)({});
          try {
            if (!node.isVerified) learnChain(node, await request({ method: "eth_chainId" }));
            if (node.wrongChain !== null) return null;
            const askedAt = now();
            const head = BigInt((await request({ method: "eth_blockNumber" })) as string);
            answeredAt = now();
            return { head, ms: now() - askedAt };
          } catch {
            return null;
          }
        }),
      );
      ranking.compared(probes);
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
