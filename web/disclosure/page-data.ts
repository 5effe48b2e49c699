import type { ConsoleAccess } from "../owner/data.ts";
import type { WalletNetwork } from "../ui/network.ts";

/** What the page about one request hands to its script. What was requested is read with a session. */
export interface ApprovalPageData {
  readonly network: WalletNetwork;
  /** The contract SoulView. */
  readonly soulView: `0x${string}`;
  readonly requestId: string;
  readonly tokenId: number;
  readonly passportId: number;
  readonly agentName: string;
  readonly agentType: string;
  /** Who decides. */
  readonly owner: string;
  /** The owner's sign-in to the console; null without one. */
  readonly console: ConsoleAccess | null;
}
