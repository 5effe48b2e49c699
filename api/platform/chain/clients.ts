import type { PublicClient, Transport } from "viem";
import { createPublicClient, defineChain } from "viem";
import type { NodeCircuit } from "./circuit.ts";
import { isUnavailable } from "./reverts.ts";
import { nodeTransport } from "./transport.ts";

export interface ChainClientOptions {
  readonly rpcUrl: string;
  /** The deployment's chain: transactions are signed for it. */
  readonly chainId: number;
  /** Time limit for one answer of the node, in milliseconds. Each request is sent at most twice. */
  readonly timeoutMs?: number;
  readonly observe?: ChainCallObserver;
  /** Shared by the clients of one node. Default: no circuit breaker. */
  readonly circuit?: NodeCircuit;
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

/** A client with a short time limit, because a request waits for it. */
export function createChainClient({
  rpcUrl,
  chainId,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  observe,
  circuit,
}: ChainClientOptions): PublicClient {
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // The base fee rises by at most an eighth per block: twice of it lasts for five full blocks.
    fees: { baseFeeMultiplier: 2 },
  });
  const transport = nodeTransport({
    url: rpcUrl,
    timeoutMs,
    retryCount: 1,
    retryDelay: 100,
    circuit,
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
