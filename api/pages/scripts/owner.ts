import type { OwnerAction, OwnerPageData } from "../owner/data.ts";
import { byId, element, pageData } from "./lib/dom.ts";
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
  }
}

function finish(acted: HTMLElement): void {
  isDone = true;
  wallet.replaceChildren(
    element("p", { class: "muted" }, "Reload this page to do something else."),
  );
  for (const { area } of views) if (area !== acted) area.replaceChildren();
  for (const form of document.querySelectorAll("main form")) form.toggleAttribute("inert", true);
}

const wallet = element("div", {});
root.replaceChildren(wallet);
walletPanel(wallet, {
  network,
  preferred: actions.flatMap(({ signers }) => signers.accounts)[0] ?? null,
  onChange: (connection) => {
    if (isDone) return;
    for (const { show } of views) show(connection);
  },
});
