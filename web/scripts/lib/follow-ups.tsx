import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import { Transaction } from "../../ui/components.tsx";
import type { WalletNetwork } from "../../ui/network.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { patiently, sendTransaction } from "../wallets/wallets.ts";
import { actions, button, drawn } from "./dom.tsx";
import { failureNotice } from "./failures.tsx";
import { showSteps } from "./steps.tsx";

/** A transaction as the service leaves it to the owner. */
interface LeftTransaction {
  readonly to: string;
  readonly data: string;
}

/** What an answer of the service may leave to the passport's owner. */
export interface LeftToOwner {
  readonly agentUriTransaction?: LeftTransaction | null;
  /** The same, of an answer that is about nothing else. */
  readonly transaction?: LeftTransaction;
  readonly approvalTransaction?: LeftTransaction | null;
  readonly pendingMetadata?: readonly {
    readonly key: string;
    readonly transaction: LeftTransaction;
  }[];
}

/** What of a page names its chain. */
interface OnNetwork {
  readonly network: Pick<WalletNetwork, "explorer">;
}

/** What is said of them first. */
export const OWN_TRANSACTIONS =
  "These are transactions of your own wallet, which pays a small fee for them. Nothing depends on them.";

/** The transactions that an answer leaves to the owner, each with a button. */
export function leftTransactions(
  left: LeftToOwner,
  whyUri: string,
  { wallet, account }: Connection,
  page: OnNetwork,
): Child[] {
  const sent = (title: string, why: string, label: string, call: LeftTransaction) =>
    followUp(page, title, why, label, () => sendTransaction(wallet.provider, account, call));
  const parts: Child[] = [];
  const uriTransaction = left.agentUriTransaction ?? left.transaction;
  if (uriTransaction) {
    const title = "Point the passport at its own file";
    parts.push(sent(title, whyUri, "Update the passport", uriTransaction));
  }
  if (left.approvalTransaction) {
    const title = "Approve the passport writer";
    const why =
      "The passport does not show the agent's soul yet. This transaction lets the passport writer write it. The passport writer cannot move your passport.";
    parts.push(sent(title, why, title, left.approvalTransaction));
  }
  const pending = left.pendingMetadata ?? [];
  // Entries that the passport writer writes share one transaction.
  const writes = new Map(pending.map((entry) => [entry.transaction.data, entry]));
  for (const { transaction: call } of writes.values()) {
    const keys = pending.filter((entry) => entry.transaction.data === call.data);
    const why = `The passport lacks these entries about the soul: ${keys.map(({ key }) => key).join(", ")}. Send this transaction when the approval is confirmed.`;
    parts.push(sent("Write the agent's soul on the passport", why, "Write to the passport", call));
  }
  return parts;
}

/** A transaction of the owner's own wallet, with its reason and a button. */
export function followUp(
  page: OnNetwork,
  title: string,
  why: string,
  label: string,
  act: () => Promise<string>,
): Child {
  const offer = (state: HTMLElement | null) =>
    state && offerTransaction(state, page, { label, act, look: "button secondary" });
  return (
    <div class="follow-up">
      <h3>{title}</h3>
      <p>{why}</p>
      <div ref={offer} />
    </div>
  );
}

/** The button that has the wallet send a transaction, in `root`, and what becomes of it. */
export function offerTransaction(
  root: HTMLElement,
  page: OnNetwork,
  offered: {
    readonly label: string;
    readonly look: string;
    readonly act: () => Promise<string>;
    /** Said once it is sent. */
    readonly done?: string;
  },
): void {
  const { label, look, act, done } = offered;
  root.setAttribute("aria-live", "polite");
  const offer = (problem?: Child) =>
    render([problem, actions(button(problem ? "Try again" : label, run, look))], root);
  const run = async () => {
    const set = showSteps(root, { send: label });
    set("send", "active", "Your wallet asks you.");
    try {
      const hash = await patiently(act, (note) => set("send", "active", note));
      const sent = (
        <span>
          Sent as <Transaction kit={page} hash={hash} />
        </span>
      );
      set("send", "done", sent);
      if (done !== undefined) root.append(drawn(<p>{done}</p>));
    } catch (error) {
      offer(failureNotice(error));
    }
  };
  offer();
}
