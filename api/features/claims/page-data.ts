import type { AgentTypeName } from "../../../protocol/index.ts";
import type { WalletNetwork } from "../../pages/network.ts";
import type { BirthBundle } from "../../soul/index-reads.ts";
import type { PublicIdentity } from "../registration/content.ts";

/** What the claim page hands to its script. */
export interface ClaimPageData {
  readonly registrationId: string;
  readonly agentName: string;
  /** What the agent registered: an edit is what differs from it. */
  readonly draft: {
    readonly agentType: AgentTypeName;
    readonly agentDescription: string | null;
    readonly publicIdentity: PublicIdentity;
    readonly birthBundle: BirthBundle | null;
  };
  readonly network: WalletNetwork;
  /** What the owner signs, in the words that a wallet shows: the sentence, and the label of each field. */
  readonly registrationWords: {
    readonly sentence: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  /** Of `setAgentWallet(uint256,address,uint256,bytes)`. */
  readonly setAgentWalletSelector: string;
}
