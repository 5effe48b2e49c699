import { render } from "hono/jsx/dom";
import type { ApprovalPageData } from "../disclosure/page-data.ts";
import { Card, Code } from "../ui/components.tsx";
import { showRequest } from "./disclosure/request-view.tsx";
import { byId, pageData } from "./lib/dom.tsx";
import { walletSessionView } from "./lib/session-view.tsx";
import { walletPanel } from "./wallets/wallet-panel.tsx";

const root = byId("approve-root");
const page = pageData<ApprovalPageData>(root);
const { network, agentName, owner, passportId: agentId } = page;

root.className = "stack";
render(
  [
    <Card title="Your wallet">
      <p>
        Only the agent's owner sees the request: <Code>{owner}</Code>
      </p>
      <div id="approve-wallet" />
      <div id="approve-session" class="stack follow-up" />
    </Card>,
    <div id="approve-request" class="stack" />,
  ],
  root,
);
const request = byId("approve-request");

/** Counts the wallet's accounts: an earlier answer is about another one. */
let shown = 0;

const show = walletSessionView(byId("approve-session"), {
  label: "Sign in and see the request",
  signers: { accounts: [owner], refusal: `This account does not own ${agentName}` },
  agentId,
  console: page.console,
  async load(signedIn) {
    const turn = shown;
    await showRequest(request, page, signedIn, () => turn === shown);
    if (turn !== shown) return null;
    const first = request.firstElementChild as HTMLElement | null;
    first?.setAttribute("tabindex", "-1");
    first?.focus();
    const how =
      page.console === null
        ? "You are signed in until you leave this page."
        : "You are signed in to the console.";
    return <p class="muted">{how}</p>;
  },
});
walletPanel(byId("approve-wallet"), {
  network,
  preferred: [owner],
  onChange: (connection) => {
    // What was shown belongs to the account before.
    shown += 1;
    request.replaceChildren();
    show(connection);
  },
});
