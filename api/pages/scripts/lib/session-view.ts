import type { ConsoleAccess, Signers } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sameAddress, type Wallet } from "../wallets/wallets.ts";
import { ApiFailure, byConsole, byToken, type Credential } from "./api.ts";
import { actions, button, element, notice } from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { signIn } from "./session.ts";
import { accountView } from "./signers.ts";
import { progressSteps, type StepState } from "./steps.ts";

/** A session of the page, for as long as it is open. */
export interface PageSession {
  readonly credential: Credential;
  readonly account: string;
  readonly wallet: Wallet;
  /** Does something, and loads the view again. */
  readonly run: (work: () => Promise<void>) => void;
}

export interface SessionViewOptions {
  /** On the button that signs in. */
  readonly label: string;
  readonly signers: Signers;
  /** The passport whose agent is managed; null for the whole account. */
  readonly agentId: number | null;
  /** A sign-in to the console, which makes another one needless; null without one. */
  readonly console: ConsoleAccess | null;
  readonly load: (session: PageSession) => Promise<readonly HTMLElement[]>;
}

/**
 * What only a signed-in owner sees, in `area`. The token stays in this function: it is not kept,
 * shown or put anywhere.
 */
export function sessionView(
  area: HTMLElement,
  { label, signers, agentId, console, load }: SessionViewOptions,
): (connection: Connection | null) => void {
  const { show, turn } = accountView(area, signers, (connection, problem) => {
    if (problem === undefined && isSignedIn(connection)) void start(connection);
    else {
      area.replaceChildren(
        problem ?? "",
        actions(button(label, () => void start(connection), "button secondary")),
      );
    }
  });
  return show;

  function isSignedIn({ account }: Connection): boolean {
    return console !== null && sameAddress(console.account, account);
  }

  /** Asks the wallet only where no sign-in to the console is at hand. */
  async function credentialFor(
    connection: Connection,
    set: (id: "sign" | "load", state: StepState, note?: string) => void,
  ): Promise<Credential> {
    if (console !== null && isSignedIn(connection)) return byConsole(console);
    const { accessToken } = await signIn(connection, {
      scope: ["identity", "manage"],
      agentId,
      onAsk: (note) => set("sign", "active", note),
      onSigned: () => {},
    });
    return byToken(accessToken);
  }

  async function start(connection: Connection): Promise<void> {
    const begun = turn();
    const { list, set } = progressSteps({
      sign: `Sign in ${connection.wallet.name}`,
      load: "Read",
    });
    area.replaceChildren(list);
    try {
      const credential = await credentialFor(connection, set);
      set("sign", "done");
      set("load", "active");
      const { account, wallet } = connection;
      const session: PageSession = { credential, account, wallet, run: (work) => void act(work) };
      await reload();

      async function reload(problem?: HTMLElement): Promise<void> {
        const content = await load(session);
        if (turn() === begun) area.replaceChildren(problem ?? "", ...content);
      }

      async function act(work: () => Promise<void>): Promise<void> {
        area.replaceChildren(element("p", { class: "muted" }, "One moment…"));
        try {
          const problem = await work().then(() => undefined, failureNotice);
          await reload(problem);
        } catch (error) {
          if (turn() === begun) show(connection, failureNotice(error));
        }
      }
    } catch (error) {
      if (turn() === begun) show(connection, noPassport(error) ?? failureNotice(error));
    }
  }
}

/** Signing in needs a passport. */
export function noPassport(error: unknown): HTMLElement | null {
  if (!(error instanceof ApiFailure) || error.type !== "NOT_OWNER") return null;
  return notice(
    "info",
    "This account holds no passport",
    "Claim an agent first, or choose the account that owns one.",
  );
}
