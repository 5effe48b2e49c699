import { render } from "hono/jsx/dom";
import type { ConsoleAccess, OwnerAction, OwnerPageData } from "../owner/data.ts";
import { callAction, saidAfterReload } from "./console/call-action.tsx";
import { consoleSignIn } from "./console/console-sign-in.tsx";
import { documentAction } from "./console/document-action.tsx";
import { disclosuresAction } from "./disclosure/disclosures-action.tsx";
import { accessAction } from "./lib/access-action.tsx";
import { nameAgentWallet } from "./lib/agent-wallet.ts";
import { byId, notice, pageData } from "./lib/dom.tsx";
import { offerTransaction } from "./lib/follow-ups.tsx";
import { invitationsAction } from "./lib/invitations-action.tsx";
import { signedAction } from "./lib/signed-action.tsx";
import { accountView, mayAct } from "./lib/signers.tsx";
import { type Connection, walletPanel } from "./wallets/wallet-panel.tsx";
import { sendTransaction } from "./wallets/wallets.ts";

/** What can be done without a wallet, by the sign-in to the console. */
type ConsoleOnly = Extract<OwnerAction, { readonly kind: "call" | "document" }>;
type ByWallet = Exclude<OwnerAction, ConsoleOnly>;

const root = byId("owner-root");
const page = pageData<OwnerPageData>(root);
const { network, actions, console: access = null } = page;

/** Set once an action was carried out: the rest of the page shows the state before it. */
let isDone = false;

const isByWallet = (action: OwnerAction): action is ByWallet =>
  action.kind !== "call" && action.kind !== "document";
const byWallet = actions.filter(isByWallet);
const views = byWallet.map((action) => {
  const area = byId(`${action.id}-action`);
  return { area, show: viewOf(action, area) };
});

function viewOf(action: ByWallet, area: HTMLElement): (connection: Connection | null) => void {
  switch (action.kind) {
    case "sign":
      return signedAction(area, action, page, () => finish(area));
    case "send":
      return accountView(area, action.signers, ({ wallet, account }) =>
        offerTransaction(area, page, {
          label: action.label,
          look: "button",
          act: () => sendTransaction(wallet.provider, account, action),
          done: action.done,
        }),
      ).show;
    case "agent-wallet":
      return accountView(area, action.signers, (connection) =>
        offerTransaction(area, page, {
          label: "Make this account the agent's wallet",
          look: "button",
          act: () => nameAgentWallet(connection, action),
          done: "Payers find this account once the transaction is confirmed.",
        }),
      ).show;
    case "access":
      return accessAction(area, action, access);
    case "disclosures":
      return disclosuresAction(area, action, access);
    case "invitations":
      return invitationsAction(area, action);
    case "console-sign-in":
      return consoleSignIn(area, action);
  }
}

/** A card can stand far below the wallet, and a link can lead right to it: it says what comes first. */
function sayWalletFirst(area: HTMLElement): void {
  const isBesideWallet = area.closest("section")?.contains(root) ?? false;
  if (area.childElementCount > 0 || isBesideWallet) return;
  render(
    <p class="muted">
      <a href="#wallet-choice-title">Choose your wallet</a> first. Then you can do it here.
    </p>,
    area,
  );
}

/** Leaves only what was done, in its place: the rest of the page shows the state before it. */
function finish(acted: HTMLElement): void {
  isDone = true;
  const card = acted.closest("section");
  for (const { id } of actions) {
    const area = byId(`${id}-action`);
    if (area !== acted && card?.contains(area)) area.remove();
  }
  const signOut = document.getElementById("sign-out-action");
  for (const other of document.querySelectorAll("main section.card")) {
    if (other !== card && !other.contains(signOut)) other.remove();
  }
  for (const form of card?.querySelectorAll("form") ?? []) form.remove();
}

const said = saidAfterReload();
const sayer = document.getElementById("console-said");
if (said !== null && sayer !== null) render(notice("good", said), sayer);
if (access !== null) offerCalls(access);

function offerCalls(signedIn: ConsoleAccess): void {
  for (const action of actions) {
    if (isByWallet(action)) continue;
    const area = byId(`${action.id}-action`);
    if (action.kind === "call") callAction(area, action, signedIn);
    else documentAction(area, action, signedIn);
  }
}

/** Of the account that is signed in to the console, and read with its session alone. */
function isReadSignedIn({ kind, signers }: ByWallet): boolean {
  const isList = kind === "access" || kind === "disclosures";
  return isList && access !== null && mayAct(signers, access.account);
}

if (!byWallet.every(isReadSignedIn)) {
  const wallet = document.createElement("div");
  root.replaceChildren(wallet);
  walletPanel(wallet, {
    network,
    preferred: byWallet.flatMap(({ signers }) => signers.accounts),
    onChange: (connection) => {
      if (isDone) return;
      for (const { area, show } of views) {
        show(connection);
        if (connection === null) sayWalletFirst(area);
      }
    },
  });
  for (const { area } of views) sayWalletFirst(area);
}
