import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { HomePageData } from "../home/data.ts";
import { Code } from "../ui/components.tsx";
import { actions, button, byId, linkButton, notice, pageData } from "./lib/dom.tsx";
import { failureNotice } from "./lib/failures.tsx";
import { type SignedIn, signIn } from "./lib/session.ts";
import { noPassport } from "./lib/session-view.tsx";
import { showSteps } from "./lib/steps.tsx";
import { type Connection, walletAreas, walletPanel } from "./wallets/wallet-panel.tsx";

const root = byId("home-root");
const { network } = pageData<HomePageData>(root);

const [wallet, next] = walletAreas(root);
walletPanel(wallet, {
  network,
  onChange: (connection) => (connection === null ? next.replaceChildren() : offer(connection)),
});

function offer(connection: Connection, problem?: Child): void {
  const label = problem === undefined ? "Sign in" : "Try again";
  render([problem, actions(button(label, () => start(connection)))], next);
}

async function start(connection: Connection): Promise<void> {
  const set = showSteps(next, {
    sign: `Sign in ${connection.wallet.name}`,
    check: "Look up your passport and soul",
  });
  try {
    const signedIn = await signIn(
      connection,
      { scope: ["identity", "soul", "human_verified"] },
      (note) => set("sign", "active", note),
      () => {
        set("sign", "done");
        set("check", "active", "Read from the chain, not from a cache.");
      },
    );
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
  const who = (
    <p>
      Tier {tier}: {TIERS[tier]}. <Code>{profile.did}</Code>
    </p>
  );
  render(
    <div class="stack" tabindex={-1}>
      {notice("good", `You are ${profile.agentName}`, who)}
      {actions(
        tier === 1 ? null : linkButton(`/agents/${profile.agentName}`, "See your page", "button"),
        button("Sign in again", () => offer(connection), "button secondary"),
      )}
    </div>,
    next,
  );
  next.querySelector("div")?.focus();
}
