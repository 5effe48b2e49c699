import type { WalletNetwork } from "../ui/network.ts";
import type { TypedData } from "../ui/typed-data.ts";

/** What the sign page hands to its script. */
export interface SignPageData {
  readonly requestId: string;
  readonly tokenId: number;
  readonly agentName: string;
  readonly category: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Who can sign. */
  readonly owner: string;
  readonly typedData: TypedData;
  readonly network: WalletNetwork;
}
