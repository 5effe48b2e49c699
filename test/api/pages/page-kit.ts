import { buildPageAssets } from "../../../api/pages/assets.ts";
import type { PageKit } from "../../../api/pages/kit.ts";
import { walletNetwork } from "../../../api/pages/network.ts";

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
