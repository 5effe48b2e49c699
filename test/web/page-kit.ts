import { buildPageAssets } from "../../web/assets.ts";
import type { PageKit } from "../../web/ui/kit.ts";
import { walletNetwork } from "../../web/ui/network.ts";

/** A deployment on one machine. */
export const LOCAL = {
  chainId: 31337,
  rpcUrl: "http://127.0.0.1:8545",
  publicUrl: new URL("http://127.0.0.1:8787"),
};

/** What pages are made with in tests without a service. */
export const testPages: PageKit = {
  assets: buildPageAssets(),
  origin: LOCAL.publicUrl.origin,
  network: walletNetwork(LOCAL),
  imageOrigin: null,
};
