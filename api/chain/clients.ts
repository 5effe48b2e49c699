import type { PublicClient } from "viem";
import { createPublicClient, defineChain, http } from "viem";

export interface ChainClientOptions {
  readonly rpcUrl: string;
  /** The deployment's chain: transactions are signed for it. */
  readonly chainId: number;
  /** Longest wait for one answer of the node, in milliseconds. Each question is asked at most twice. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** A client that gives up soon: who waits for it holds a request open. */
export function createChainClient({
  rpcUrl,
  chainId,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: ChainClientOptions): PublicClient {
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // The base fee may rise by an eighth with each block: twice of it holds for five full blocks.
    fees: { baseFeeMultiplier: 2 },
  });
  return createPublicClient({
    chain,
    transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1, retryDelay: 100 }),
    // An old block number would be a wrong answer.
    cacheTime: 0,
    // Calls that are gathered answer later, and fail together.
    batch: { multicall: false },
  });
}
