import type { HomePageData } from "../home/data.ts";
import { actions, button, byId, code, element, link, notice, pageData } from "./lib/dom.ts";
import { failureNotice } from "./lib/failures.ts";
import { type SignedIn, signIn } from "./lib/session.ts";
import { noPassport } from "./lib/session-view.ts";
import { progressSteps } from "./lib/steps.ts";
import { type Connection, walletPanel } from "./wallets/wallet-panel.ts";

const root = byId("home-root");
const { network } = pageData<HomePageData>(root);

const wallet = element("div", {});
const next = element("div", { class: "stack" });
root.replaceChildren(element("div", { class: "stack" }, wallet, next));
walletPanel(wallet, {
  network,
  onChange: (connection) => (connection === null ? next.replaceChildren() : offer(connection)),
});

function offer(connection: Connection, problem?: HTMLElement): void {
  next.replaceChildren(
    ...(problem === undefined ? [] : [problem]),
    actions(button(problem === undefined ? "Sign in" : "Try again", () => void start(connection))),
  );
}

async function start(connection: Connection): Promise<void> {
  const { list, set } = progressSteps({
    sign: `Sign in ${connection.wallet.name}`,
    check: "Look up your passport and soul",
  });
  next.replaceChildren(list);
  try {
    const signedIn = await signIn(connection, {
      scope: ["identity", "soul", "human_verified"],
      agentId: null,
      onAsk: (note) => set("sign", "active", note),
      onSigned: () => {
        set("sign", "done");
        set("check", "active", "Read from the chain, not from a cache.");
      },
    });
    show(signedIn, connection);
  } catch (error) {
    offer(connection, noPassport(error) ?? failureNotice(error));
  }
}

const TIERS: Readonly<Record<SignedIn["tier"], string>> = {
  1: "Passport",
  2: "Soul",
  3: "Human-verified",
};

/** The token itself stays in this function: it is not kept, shown or put anywhere. */
function show({ tier, profile }: SignedIn, connection: Connection): void {
  const who = element(
    "div",
    { class: "stack", tabindex: "-1" },
    notice(
      "good",
      `You are ${profile.agentName}`,
      element("p", {}, `Tier ${tier}: ${TIERS[tier]}. `, code(profile.did)),
    ),
    actions(
      ...(tier === 1 ? [] : [profileLink(profile.agentName)]),
      button("Sign in again", () => offer(connection), "button secondary"),
    ),
  );
  next.replaceChildren(who);
  who.focus();
}

function profileLink(agentName: string): HTMLElement {
  const anchor = link(`/agents/${agentName}`, "See your page");
  anchor.className = "button";
  return anchor;
}
