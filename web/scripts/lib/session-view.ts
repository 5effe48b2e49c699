import type { ConsoleAccess, Signers } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sameAddress } from "../wallets/wallets.ts";
import { ApiFailure, byConsole, byToken, type Credential } from "./api.ts";
import { actions, button, element, notice } from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { signIn } from "./session.ts";
import { accountView, mayAct } from "./signers.ts";
import { progressSteps } from "./steps.ts";

/** A session of the page, for as long as it is open. */
export interface PageSession {
  readonly credential: Credential;
  /** Does something, and loads the view again. */
  readonly run: (work: () => Promise<void>) => void;
}

/** The same, with the wallet that signed in. */
export interface WalletSession extends PageSession, Connection {}

interface ViewOptions {
  /** On the button that signs in. */
  readonly label: string;
  readonly signers: Signers;
  /** The passport whose agent is managed; null for the whole account. */
  readonly agentId: number | null;
  /** A sign-in to the console, which makes another one needless; null without one. */
  readonly console: ConsoleAccess | null;
}

export type SessionViewOptions = ViewOptions &
  (
    | {
        /** With a sign-in to the console the view is shown without a wallet. */
        readonly needsWallet: false;
        readonly load: (session: PageSession) => Promise<readonly HTMLElement[]>;
      }
    | {
        readonly needsWallet: true;
        readonly load: (session: WalletSession) => Promise<readonly HTMLElement[]>;
      }
  );

/**
 * What only a signed-in owner sees, in `area`. The token stays in this function: it is not kept,
 * shown or put anywhere.
 */
export function sessionView(
  area: HTMLElement,
  options: SessionViewOptions,
): (connection: Connection | null) => void {
  const { label, signers, agentId, console } = options;
  const { show, turn } = accountView(area, signers, (connection, problem) => {
    if (problem === undefined && isSignedIn(connection)) void startWith(connection);
    else {
      area.replaceChildren(
        problem ?? "",
        actions(button(label, () => void startWith(connection), "button secondary")),
      );
    }
  });
  if (options.needsWallet || console === null || !mayAct(signers, console.account)) return show;
  const { load } = options;
  void start(load, async () => ({ credential: byConsole(console) }), fail);
  // The view is of the account that is signed in, whichever the wallet shows.
  return () => {};

  function fail(problem: HTMLElement): void {
    area.replaceChildren(problem, actions(button("Try again", () => location.reload())));
  }

  function isSignedIn({ account }: Connection): boolean {
    return console !== null && sameAddress(console.account, account);
  }

  async function startWith(connection: Connection): Promise<void> {
    await start(
      options.load,
      async (say) => ({ ...connection, credential: await credentialFor(connection, say) }),
      (problem) => show(connection, problem),
    );
  }

  /** Asks the wallet only where no sign-in to the console is at hand. */
  async function credentialFor(connection: Connection, say: SayStep): Promise<Credential> {
    if (console !== null && isSignedIn(connection)) return byConsole(console);
    const { accessToken } = await signIn(connection, {
      scope: ["identity", "manage"],
      agentId,
      onAsk: say,
      onSigned: () => {},
    });
    return byToken(accessToken);
  }

  async function start<Start extends { readonly credential: Credential }>(
    load: (session: Start & PageSession) => Promise<readonly HTMLElement[]>,
    begin: (say: SayStep) => Promise<Start>,
    onFailure: (problem: HTMLElement) => void,
  ): Promise<void> {
    const begun = turn();
    const { list, set } = progressSteps({ sign: "Sign in", load: "Read" });
    area.replaceChildren(list);
    try {
      const started = await begin((note) => set("sign", "active", note));
      set("sign", "done");
      set("load", "active");
      const session = { ...started, run: (work: () => Promise<void>) => void act(work) };
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
          if (turn() === begun) onFailure(failureNotice(error));
        }
      }
    } catch (error) {
      if (turn() === begun) onFailure(noPassport(error) ?? failureNotice(error));
    }
  }
}

/** Says what the sign-in waits for. */
type SayStep = (note: string) => void;

/** Signing in needs a passport. */
export function noPassport(error: unknown): HTMLElement | null {
  if (!(error instanceof ApiFailure) || error.type !== "NOT_OWNER") return null;
  return notice(
    "info",
    "This account holds no passport",
    "Claim an agent first, or choose the account that owns one.",
  );
}
