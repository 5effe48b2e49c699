import { patiently } from "../wallets/patience.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sendTransaction } from "../wallets/wallets.ts";
import { actions, button, element, transaction } from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { progressSteps } from "./steps.ts";

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

/** What is said of them first. */
export const OWN_TRANSACTIONS =
  "These are transactions of your own wallet, which pays a small fee for them. Nothing depends on them.";

/** The transactions that an answer leaves to the owner, each with a button. */
export function leftTransactions(
  left: LeftToOwner,
  whyUri: string,
  { wallet, account }: Connection,
  explorer: string | null,
): HTMLElement[] {
  const send = (call: LeftTransaction) => () => sendTransaction(wallet.provider, account, call);
  const parts: HTMLElement[] = [];
  const uriTransaction = left.agentUriTransaction ?? left.transaction;
  if (uriTransaction) {
    parts.push(
      followUp({
        title: "Point the passport at its own file",
        why: whyUri,
        label: "Update the passport",
        explorer,
        act: send(uriTransaction),
      }),
    );
  }
  if (left.approvalTransaction) {
    parts.push(
      followUp({
        title: "Approve the passport writer",
        why: "The passport does not show the agent's soul yet. This transaction lets the passport writer write it. The passport writer cannot move your passport.",
        label: "Approve the passport writer",
        explorer,
        act: send(left.approvalTransaction),
      }),
    );
  }
  const pending = left.pendingMetadata ?? [];
  // Entries that the passport writer writes share one transaction.
  const writes = new Map(pending.map((entry) => [entry.transaction.data, entry]));
  for (const { transaction: call } of writes.values()) {
    const keys = pending.filter((entry) => entry.transaction.data === call.data);
    parts.push(
      followUp({
        title: "Write the agent's soul on the passport",
        why: `The passport lacks these entries about the soul: ${keys.map(({ key }) => key).join(", ")}. Send this transaction when the approval is confirmed.`,
        label: "Write to the passport",
        explorer,
        act: send(call),
      }),
    );
  }
  return parts;
}

/** A transaction of the owner's own wallet, with its reason and a button. */
export function followUp(options: {
  readonly title: string;
  readonly why: string;
  readonly label: string;
  readonly explorer: string | null;
  readonly act: () => Promise<string>;
}): HTMLElement {
  const { title, why, label, explorer, act } = options;
  const state = element("div", {});
  offerTransaction(state, { label, explorer, act, kind: "button secondary" });
  return element(
    "div",
    { class: "follow-up" },
    element("h3", {}, title),
    element("p", {}, why),
    state,
  );
}

/** The button that has the wallet send a transaction, in `root`, and what becomes of it. */
export function offerTransaction(
  root: HTMLElement,
  options: {
    readonly label: string;
    readonly explorer: string | null;
    readonly kind: string;
    readonly act: () => Promise<string>;
    readonly onSent?: (hash: string) => void;
  },
): void {
  const { label, explorer, kind, act, onSent } = options;
  root.setAttribute("aria-live", "polite");
  const offer = (problem?: HTMLElement) =>
    root.replaceChildren(
      problem ?? "",
      actions(button(problem ? "Try again" : label, () => void run(), kind)),
    );
  const run = async () => {
    const { list, set } = progressSteps({ send: label });
    root.replaceChildren(list);
    set("send", "active", "Your wallet asks you.");
    try {
      const hash = await patiently(act, (note) => set("send", "active", note));
      set("send", "done", element("span", {}, "Sent as ", transaction(explorer, hash)));
      onSent?.(hash);
    } catch (error) {
      offer(failureNotice(error));
    }
  };
  offer();
}
