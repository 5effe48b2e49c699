import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { Signers } from "../../owner/data.ts";
import { Code } from "../../ui/components.tsx";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { sameAddress } from "../wallets/wallets.ts";
import { notice } from "./dom.tsx";

/** Whether an account is among those that can act. */
export function mayAct({ accounts }: Signers, account: string): boolean {
  return accounts.length === 0 || accounts.some((one) => sameAddress(one, account));
}

/** Says which account acts. */
function otherAccount({ accounts, refusal }: Signers): Child {
  const named = accounts.map((account, i) => [i === 0 ? null : " or ", <Code>{account}</Code>]);
  return notice("caution", refusal, <p>Choose {named} in your wallet, or use another wallet.</p>);
}

/**
 * Offers something in `area` to the accounts that can act, and nothing without a wallet.
 *
 * @param signers Null: any account can.
 * @param offer The last argument is what went wrong before.
 */
export function accountView(
  area: HTMLElement,
  signers: Signers | null,
  offer: (connection: Connection, problem?: Child) => void,
) {
  let shown = 0;
  return {
    /** Takes up the wallet's account; `problem` is what went wrong before. */
    show(connection: Connection | null, problem?: Child): void {
      shown += 1;
      if (connection === null) area.replaceChildren();
      else if (signers !== null && !mayAct(signers, connection.account)) {
        render(otherAccount(signers), area);
      } else offer(connection, problem);
    },
    /** Counts what was shown: an earlier answer is about another account. */
    turn: () => shown,
  };
}
