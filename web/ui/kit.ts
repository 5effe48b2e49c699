import type { PageAssets } from "../assets.ts";
import type { WalletNetwork } from "./network.ts";

/** What every page is made with. */
export interface PageKit {
  readonly assets: PageAssets;
  /** Of this deployment, without a trailing slash: what links of other sites begin with. */
  readonly origin: string;
  readonly network: WalletNetwork;
  /** Origin that images of agents come from when it is another one than the server's own. */
  readonly imageOrigin: string | null;
}
