import type { OwnerAction, OwnerPageData } from "../owner/data.ts";
import { disclosuresAction } from "./disclosure/disclosures-action.ts";
import { accessAction } from "./lib/access-action.ts";
import { byId, element, pageData } from "./lib/dom.ts";
import { invitationsAction } from "./lib/invitations-action.ts";
import { sentAction } from "./lib/sent-action.ts";
import { signedAction } from "./lib/signed-action.ts";
import { type Connection, walletPanel } from "./lib/wallet-panel.ts";

const root = byId("owner-root");
const { network, actions, words } = pageData<OwnerPageData>(root);
const { explorer } = network;

/** Set once an action was carried out: the rest of the page shows the state before it. */
let isDone = false;

const views = actions.map((action) => {
  const area = byId(`${action.id}-action`);
  return { area, show: viewOf(action, area) };
});

function viewOf(action: OwnerAction, area: HTMLElement): (connection: Connection | null) => void {
  switch (action.kind) {
    case "sign":
      return signedAction(area, action, { words, explorer, onDone: () => finish(area) });
    case "send":
      return sentAction(area, action, explorer);
    case "access":
      return accessAction(area, action);
    case "disclosures":
      return disclosuresAction(area, action);
    case "invitations":
      return invitationsAction(area, action);
  }
}

/** Leaves only what was done, in its place: the rest of the page can no longer be used. */
function finish(acted: HTMLElement): void {
  isDone = true;
  const card = acted.closest("section");
  for (const { area } of views) {
    const other = area.closest("section");
    if (other !== card) other?.remove();
    else if (area !== acted) area.remove();
  }
  for (const form of card?.querySelectorAll("form") ?? []) form.remove();
  root.closest("section")?.remove();
}

const wallet = element("div", {});
root.replaceChildren(wallet);
walletPanel(wallet, {
  network,
  preferred: actions.flatMap(({ signers }) => signers.accounts),
  onChange: (connection) => {
    if (isDone) return;
    for (const { show } of views) show(connection);
  },
});
