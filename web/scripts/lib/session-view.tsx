import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { ConsoleAccess, Signers } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { sameAddress } from "../wallets/wallets.ts";
import { ApiFailure, byConsole, byToken, type Credential } from "./api.ts";
import { actions, button, notice } from "./dom.tsx";
import { failureNotice } from "./failures.tsx";
import { signIn } from "./session.ts";
import { accountView, mayAct } from "./signers.tsx";
import { showSteps } from "./steps.tsx";

/** A session of the page, for as long as it is open. */
export interface PageSession {
  readonly credential: Credential;
  /** Does something, and loads the view again. */
  readonly run: (work: () => Promise<unknown>) => void;
}

/** The same, with the wallet that signed in. */
export interface WalletSession extends PageSession, Connection {}

/** What only a signed-in owner sees. */
interface OwnerView<Session> {
  /** On the button that signs in. */
  readonly label: string;
  readonly signers: Signers;
  /** The passport whose agent is managed. */
  readonly agentId: number;
  /** A sign-in to the console, which makes another one needless; null without one. */
  readonly console: ConsoleAccess | null;
  readonly load: (session: Session) => Promise<Child>;
}

/**
 * What only a signed-in owner sees, in `area`: with a sign-in to the console without a wallet. Returns what takes up the wallet's
 * account.
 */
export function sessionView(
  area: HTMLElement,
  view: OwnerView<PageSession>,
): (connection: Connection | null) => void {
  const { signers, console, load } = view;
  if (console === null || !mayAct(signers, console.account)) return walletSessionView(area, view);
  const fail = (problem: Child) =>
    render([problem, actions(button("Try again", () => location.reload()))], area);
  void start(
    area,
    load,
    async () => ({ credential: byConsole(console) }),
    () => true,
    fail,
  );
  // The view is of the account that is signed in, whichever the wallet shows.
  return () => {};
}

/**
 * The same, where the wallet is needed as well. The token stays in these functions: it is not kept,
 * shown or put anywhere.
 */
export function walletSessionView(
  area: HTMLElement,
  { label, signers, agentId, console, load }: OwnerView<WalletSession>,
): (connection: Connection | null) => void {
  const { show, turn } = accountView(area, signers, (connection, problem) => {
    if (problem === undefined && isSignedIn(connection)) startWith(connection);
    else {
      const signing = button(label, () => startWith(connection), "button secondary");
      render([problem, actions(signing)], area);
    }
  });
  return show;

  function isSignedIn({ account }: Connection): boolean {
    return console !== null && sameAddress(console.account, account);
  }

  function startWith(connection: Connection): void {
    const begun = turn();
    void start(
      area,
      load,
      async (say) => ({ ...connection, credential: await credentialFor(connection, say) }),
      () => turn() === begun,
      (problem) => show(connection, problem),
    );
  }

  /** Asks the wallet only where no sign-in to the console is at hand. */
  async function credentialFor(connection: Connection, say: SayStep): Promise<Credential> {
    if (console !== null && isSignedIn(connection)) return byConsole(console);
    const scope = ["identity", "manage"];
    return byToken((await signIn(connection, { scope, agentId }, say)).accessToken);
  }
}

/** Says what the sign-in waits for. */
type SayStep = (note: string) => void;

/** @param isShown Whether the area still shows this session. */
async function start<Start extends { readonly credential: Credential }>(
  area: HTMLElement,
  load: (session: Start & PageSession) => Promise<Child>,
  begin: (say: SayStep) => Promise<Start>,
  isShown: () => boolean,
  onFailure: (problem: Child) => void,
): Promise<void> {
  const set = showSteps(area, { sign: "Sign in", load: "Read" });
  try {
    const started = await begin((note) => set("sign", "active", note));
    set("sign", "done");
    set("load", "active");
    const session = { ...started, run: (work: () => Promise<unknown>) => void act(work) };
    await reload();

    async function reload(problem?: Child): Promise<void> {
      const content = await load(session);
      if (isShown()) render([problem, content], area);
    }

    async function act(work: () => Promise<unknown>): Promise<void> {
      render(<p class="muted">One moment…</p>, area);
      try {
        const problem = await work().then(() => undefined, failureNotice);
        await reload(problem);
      } catch (error) {
        if (isShown()) onFailure(failureNotice(error));
      }
    }
  } catch (error) {
    if (isShown()) onFailure(noPassport(error) ?? failureNotice(error));
  }
}

/** Signing in needs a passport. */
export function noPassport(error: unknown): Child {
  if (!(error instanceof ApiFailure) || error.type !== "NOT_OWNER") return null;
  return notice(
    "info",
    "This account holds no passport",
    "Claim an agent first, or choose the account that owns one.",
  );
}
