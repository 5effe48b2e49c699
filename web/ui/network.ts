import type { Chain } from "viem";
import * as chains from "viem/chains";

/** The deployment's chain, as pages and wallets name it. */
export interface WalletNetwork {
  readonly chainId: number;
  readonly name: string;
  /** Block explorer without a trailing slash; null without one. */
  readonly explorer: string | null;
  /**
   * What `wallet_addEthereumChain` takes (EIP-3085); null when no public node of the chain is
   * known.
   */
  readonly addable: {
    readonly chainId: string;
    readonly chainName: string;
    readonly nativeCurrency: Chain["nativeCurrency"];
    readonly rpcUrls: readonly string[];
    readonly blockExplorerUrls?: readonly string[];
  } | null;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The deployment's chain as pages describe it to wallets. The service's own node is named only when
 * everything runs on one machine. Any other node's URL may hold a key that the operator pays for,
 * and a loopback node is reachable only from its machine.
 */
export function walletNetwork({
  chainId,
  rpcUrl,
  publicUrl,
}: {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly publicUrl: URL;
}): WalletNetwork {
  // Several chains of developers' tools share its id.
  const candidates: readonly Chain[] = [chains.hardhat, ...Object.values<Chain>(chains)];
  const known = candidates.find(({ id }) => id === chainId);
  const isLocal = [new URL(rpcUrl), publicUrl].every(({ hostname }) => LOOPBACK.has(hostname));
  const published = known?.rpcUrls.default.http.filter((url) => url.startsWith("https:"));
  const rpcUrls = isLocal ? [rpcUrl] : (published ?? []);
  const explorer = known?.blockExplorers?.default.url.replace(/\/$/, "") ?? null;
  const name = known?.name ?? `Chain ${chainId}`;
  const addable = {
    chainId: `0x${chainId.toString(16)}`,
    chainName: name,
    nativeCurrency: known?.nativeCurrency ?? { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls,
    ...(explorer === null ? {} : { blockExplorerUrls: [explorer] }),
  };
  return { chainId, name, explorer, addable: rpcUrls.length === 0 ? null : addable };
}
