import type { WalletNetwork } from "../ui/network.ts";

/** What the home page hands to its script. */
export interface HomePageData {
  readonly network: WalletNetwork;
}
