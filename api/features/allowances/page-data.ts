import type { WalletNetwork } from "../../pages/network.ts";

/** What the allowance page hands to its script. */
export interface AllowancePageData {
  readonly tokenId: number;
  readonly agentName: string;
  /** Who can sign. */
  readonly owner: string;
  readonly active: boolean;
  /** What the vault may move from the owner's wallet, in base units. */
  readonly approved: string;
  readonly network: WalletNetwork;
  /** What each message means, by its EIP-712 type. */
  readonly sentences: Readonly<Record<string, string>>;
  /** The label of each field. */
  readonly labels: Readonly<Record<string, string>>;
}
