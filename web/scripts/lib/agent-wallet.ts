import type { AgentWalletAction } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { sendTransaction, signTypedData } from "../wallets/wallets.ts";

/** The registry takes deadlines at most five minutes ahead of its block. */
const DEADLINE_SECONDS = 240;

/** Makes the wallet's account the wallet of an agent: one signature, and one transaction. */
export async function nameAgentWallet(
  { wallet, account }: Connection,
  call: Pick<AgentWalletAction, "passportId" | "typedData" | "to" | "selector">,
): Promise<string> {
  const { passportId, typedData, to, selector } = call;
  const deadline = Math.floor(Date.now() / 1000) + DEADLINE_SECONDS;
  const message = { ...typedData.message, newWallet: account, deadline: String(deadline) };
  const signed = await signTypedData(wallet.provider, account, { ...typedData, message });
  const signature = signed.slice(2);
  // Of `setAgentWallet(uint256,address,uint256,bytes)`: four words, then the signature's length and bytes.
  const data = [
    selector,
    word(passportId.toString(16)),
    word(account.slice(2).toLowerCase()),
    word(deadline.toString(16)),
    // The signature begins after these four words.
    word((4 * 32).toString(16)),
    word((signature.length / 2).toString(16)),
    signature.padEnd(Math.ceil(signature.length / 64) * 64, "0"),
  ].join("");
  return sendTransaction(wallet.provider, account, { to, data });
}

function word(hex: string): string {
  return hex.padStart(64, "0");
}
