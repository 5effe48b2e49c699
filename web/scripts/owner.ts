import type { ConsoleAccess, OwnerAction, OwnerPageData } from "../owner/data.ts";
import { callAction } from "./console/call-action.ts";
import { consoleSignIn } from "./console/console-sign-in.ts";
import { documentAction } from "./console/document-action.ts";
import { saidAfterReload } from "./console/said-after-reload.ts";
import { disclosuresAction } from "./disclosure/disclosures-action.ts";
import { accessAction } from "./lib/access-action.ts";
import { byId, element, notice, pageData } from "./lib/dom.ts";
import { invitationsAction } from "./lib/invitations-action.ts";
import { agentWalletAction, sentAction } from "./lib/sent-action.ts";
import { signedAction } from "./lib/signed-action.ts";
import { mayAct } from "./lib/signers.ts";
import { type Connection, walletPanel } from "./wallets/wallet-panel.ts";

/** What can be done without a wallet, by the sign-in to the console. */
type ConsoleOnly = Extract<OwnerAction, { readonly kind: "call" | "document" }>;
type ByWallet = Exclude<OwnerAction, ConsoleOnly>;

const root = byId("owner-root");
const { network, actions, words, console: access = null } = pageData<OwnerPageData>(root);
const { explorer } = network;

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
      return signedAction(area, action, { words, explorer, onDone: () => finish(area) });
    case "send":
      return sentAction(area, action, explorer);
    case "agent-wallet":
      return agentWalletAction(area, action, explorer);
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
  const link = element("a", { href: "#wallet-choice-title" }, "Choose your wallet");
  area.replaceChildren(element("p", { class: "muted" }, link, " first. Then you can do it here."));
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
if (said !== null) {
  document.getElementById("console-said")?.replaceChildren(notice("good", said));
}
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
  const wallet = element("div", {});
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
