import type { PublicClient, Transport } from "viem";
import { createPublicClient, defineChain } from "viem";
import type { NodeCircuit } from "./circuit.ts";
import type { ChainNodes } from "./nodes.ts";
import { isUnavailable } from "./reverts.ts";
import { nodeTransport } from "./transport.ts";

interface ClientOptions {
  /** The deployment's chain: transactions are signed for it. */
  readonly chainId: number;
  /** Time limit for one answer of the node, in milliseconds. Each request is sent at most twice. */
  readonly timeoutMs?: number;
  readonly observe?: ChainCallObserver;
}

export interface ChainClientOptions extends ClientOptions {
  readonly rpcUrl: string;
  /** Shared by the clients of one node. Default: no circuit breaker. */
  readonly circuit?: NodeCircuit;
}

export interface NodesClientOptions extends ClientOptions {
  /** Shared by all clients of the process. */
  readonly nodes: ChainNodes;
}

/**
 * Notified of every request to the node: answered, refused (most often a revert), or failed without
 * an answer.
 */
export type ChainCallObserver = (
  method: string,
  outcome: "answered" | "refused" | "failed",
  seconds: number,
) => void;

const DEFAULT_TIMEOUT_MS = 5_000;

/** A client of one node, with a short time limit, because a request waits for it. */
export function createChainClient(options: ChainClientOptions): PublicClient {
  const { rpcUrl, timeoutMs = DEFAULT_TIMEOUT_MS, circuit } = options;
  const transport = nodeTransport({
    url: rpcUrl,
    timeoutMs,
    retryCount: 1,
    retryDelay: 100,
    circuit,
  });
  return clientOver(transport, rpcUrl, options);
}

/** A client of the service's nodes, which asks the first that is usable. */
export function createNodesClient(options: NodesClientOptions): PublicClient {
  const { nodes, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return clientOver(nodes.transport(timeoutMs), nodes.urls[0], options);
}

function clientOver(
  transport: Transport,
  rpcUrl: string,
  { chainId, observe }: ClientOptions,
): PublicClient {
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // The base fee rises by at most an eighth per block: twice of it lasts for five full blocks.
    fees: { baseFeeMultiplier: 2 },
  });
  return createPublicClient({
    chain,
    transport: observe ? observed(transport, observe) : transport,
    // A cached block number would be wrong.
    cacheTime: 0,
    // Batched calls answer later, and fail together.
    batch: { multicall: false },
  });
}

function observed(transport: Transport, observe: ChainCallObserver): Transport {
  return (parameters) => {
    const inner = transport(parameters);
    const request = async (call: { method: string; params?: unknown }, options?: object) => {
      const startedAt = performance.now();
      const observed = (outcome: Parameters<ChainCallObserver>[1]) =>
        observe(call.method, outcome, (performance.now() - startedAt) / 1000);
      try {
        const answer = await inner.request(call as never, options);
        observed("answered");
        return answer;
      } catch (error) {
        observed(isUnavailable(error) ? "failed" : "refused");
        throw error;
      }
    };
    return { ...inner, request: request as typeof inner.request };
  };
}
