import type { Signers } from "../../owner/data.ts";
import { sameAddress } from "../wallets/wallets.ts";
import { code, element, notice } from "./dom.ts";

export function mayAct({ accounts }: Signers, account: string): boolean {
  return accounts.length === 0 || accounts.some((one) => sameAddress(one, account));
}

/** Says which account acts. */
export function otherAccount({ accounts, refusal }: Signers): HTMLElement {
  const named = accounts.flatMap((account, i) =>
    i === 0 ? [code(account)] : [" or ", code(account)],
  );
  const choose = element("p", {}, "Choose ", ...named, " in your wallet, or use another wallet.");
  return notice("caution", refusal, choose);
}
