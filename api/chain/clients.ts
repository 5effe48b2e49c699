import { createPublicClient, defineChain, http, type PublicClient } from "viem";

/** Longest wait for one answer of the node, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Reads of the deployment's chain: bounded in time, tried twice, never answered from a cache. */
export function createChainClient({
  chainId,
  rpcUrl,
}: {
  readonly chainId: number;
  readonly rpcUrl: string;
}): PublicClient {
  const chain = defineChain({
    id: chainId,
    name: `eip155:${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createPublicClient({
    chain,
    cacheTime: 0,
    transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1, retryDelay: 100 }),
  });
}
