import type { Signers } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sameAddress } from "../wallets/wallets.ts";
import { code, element, notice } from "./dom.ts";

/** Whether an account is among those that can act. */
export function mayAct({ accounts }: Signers, account: string): boolean {
  return accounts.length === 0 || accounts.some((one) => sameAddress(one, account));
}

/** Says which account acts. */
function otherAccount({ accounts, refusal }: Signers): HTMLElement {
  const named = accounts.flatMap((account, i) =>
    i === 0 ? [code(account)] : [" or ", code(account)],
  );
  const choose = element("p", {}, "Choose ", ...named, " in your wallet, or use another wallet.");
  return notice("caution", refusal, choose);
}

/** What an area shows to the wallet's account. */
export interface AccountView {
  /** Takes up the wallet's account; `problem` is what went wrong before. */
  show(connection: Connection | null, problem?: HTMLElement): void;
  /** Counts what was shown: an earlier answer is about another account. */
  turn(): number;
}

/**
 * Offers something in `area` to the accounts that can act, and nothing without a wallet.
 *
 * @param signers Null: any account can.
 */
export function accountView(
  area: HTMLElement,
  signers: Signers | null,
  offer: (connection: Connection, problem?: HTMLElement) => void,
): AccountView {
  let shown = 0;
  return {
    show(connection, problem) {
      shown += 1;
      if (connection === null) area.replaceChildren();
      else if (signers !== null && !mayAct(signers, connection.account)) {
        area.replaceChildren(otherAccount(signers));
      } else offer(connection, problem);
    },
    turn: () => shown,
  };
}
