import type { Links } from "../api/kernel/links.ts";
import { buildPageAssets } from "./assets.ts";
import type { PageKit } from "./ui/kit.ts";
import { walletNetwork } from "./ui/network.ts";

export interface PagePartsOptions {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly publicUrl: URL;
  readonly links: Links;
}

/** Everything that pages need beside the services. */
export function buildPages({ chainId, rpcUrl, publicUrl, links }: PagePartsOptions): PageKit {
  const gateway = new URL(links.storage("id")).origin;
  return {
    assets: buildPageAssets(),
    origin: publicUrl.origin,
    network: walletNetwork({ chainId, rpcUrl, publicUrl }),
    imageOrigin: gateway === publicUrl.origin ? null : gateway,
  };
}
