import type { ApprovalPageData } from "../disclosure/page-data.ts";
import { requestView } from "./disclosure/request-view.ts";
import { byId, card, code, element, pageData } from "./lib/dom.ts";
import { sessionView } from "./lib/session-view.ts";
import { walletPanel } from "./wallets/wallet-panel.ts";

const root = byId("approve-root");
const page = pageData<ApprovalPageData>(root);
const { network, agentName, owner, passportId: agentId } = page;

const wallet = element("div", {});
const session = element("div", { class: "stack follow-up" });
const request = element("div", { class: "stack" });
const who = element("p", {}, "Only the agent's owner sees the request: ", code(owner));
root.className = "stack";
root.replaceChildren(card("Your wallet", who, wallet, session), request);

/** Counts the wallet's accounts: an earlier answer is about another one. */
let shown = 0;

const show = sessionView(session, {
  label: "Sign in and see the request",
  signers: { accounts: [owner], refusal: `This account does not own ${agentName}` },
  agentId,
  console: page.console,
  needsWallet: true,
  async load(signedIn) {
    const turn = shown;
    const view = await requestView(page, signedIn);
    if (turn !== shown) return [];
    request.replaceChildren(...view);
    const [first] = view;
    first?.setAttribute("tabindex", "-1");
    first?.focus();
    const how =
      page.console === null
        ? "You are signed in until you leave this page."
        : "You are signed in to the console.";
    return [element("p", { class: "muted" }, how)];
  },
});
walletPanel(wallet, {
  network,
  preferred: [owner],
  onChange: (connection) => {
    // What was shown belongs to the account before.
    shown += 1;
    request.replaceChildren();
    show(connection);
  },
});
