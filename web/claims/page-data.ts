import type { PublicIdentity } from "../../api/features/registration/index.ts";
import type { BirthBundle } from "../../api/soul/index-reads.ts";
import type { AgentTypeName } from "../../protocol/index.ts";
import type { SignedWords } from "../owner/data.ts";
import type { WalletNetwork } from "../ui/network.ts";

/** The claim page's data for its script. */
export interface ClaimPageData {
  readonly registrationId: string;
  readonly agentName: string;
  /** The agent's registration: an edit is a difference from it. */
  readonly draft: {
    readonly agentType: AgentTypeName;
    readonly agentDescription: string | null;
    readonly publicIdentity: PublicIdentity;
    readonly birthBundle: BirthBundle | null;
  };
  readonly network: WalletNetwork;
  /** How the message that the owner signs is described. */
  readonly words: SignedWords;
  /** Of `setAgentWallet(uint256,address,uint256,bytes)`. */
  readonly setAgentWalletSelector: string;
}
