import type { SentAction } from "../../owner/data.ts";
import { element } from "./dom.ts";
import { offerTransaction } from "./follow-ups.ts";
import { mayAct, otherAccount } from "./signers.ts";
import type { Connection } from "./wallet-panel.ts";
import { sendTransaction } from "./wallets.ts";

/** Has an account send a transaction of its own. Returns what takes up the wallet's account. */
export function sentAction(
  area: HTMLElement,
  { signers, label, to, data, done }: SentAction,
  explorer: string | null,
): (connection: Connection | null) => void {
  return (connection) => {
    if (connection === null) return area.replaceChildren();
    if (!mayAct(signers, connection.account)) return area.replaceChildren(otherAccount(signers));
    const { wallet, account } = connection;
    offerTransaction(area, {
      label,
      explorer,
      kind: "button",
      act: () => sendTransaction(wallet.provider, account, { to, data }),
      onSent: () => area.append(element("p", {}, done)),
    });
  };
}
