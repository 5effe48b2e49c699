import type { TypedData } from "../../ui/typed-data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sendTransaction, signTypedData } from "../wallets/wallets.ts";
import { setAgentWalletData } from "./set-agent-wallet.ts";

/** The registry takes deadlines at most five minutes ahead of its block. */
const DEADLINE_SECONDS = 240;

/** Makes the wallet's account the wallet of an agent: one signature, and one transaction. */
export async function nameAgentWallet(
  { wallet, account }: Connection,
  call: {
    /** The passport. */
    readonly agentId: number;
    readonly typedData: TypedData;
    /** The identity registry. */
    readonly to: string;
    readonly selector: string;
  },
): Promise<string> {
  const { agentId, typedData, to, selector } = call;
  const deadline = Math.floor(Date.now() / 1000) + DEADLINE_SECONDS;
  const message = { ...typedData.message, newWallet: account, deadline: String(deadline) };
  const signature = await signTypedData(wallet.provider, account, { ...typedData, message });
  const data = setAgentWalletData(selector, { agentId, newWallet: account, deadline, signature });
  return sendTransaction(wallet.provider, account, { to, data });
}
