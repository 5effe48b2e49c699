import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { Signers } from "../../owner/data.ts";
import type { TypedData } from "../../ui/typed-data.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { actions, button, notice } from "./dom.tsx";
import { failureNotice } from "./failures.tsx";
import {
  type Sending,
  type SignedPart,
  type SignedRequest,
  signAndSend,
  signedRequest,
} from "./sign-and-send.ts";
import { accountView } from "./signers.tsx";

/** What was prepared for one account and one state of the form. */
interface Prepared<Content> {
  readonly connection: Connection;
  readonly content: Content;
  readonly request: SignedRequest;
}

/** What an owner reviews, signs and sends. */
export interface SigningFlow<Content, Answer> {
  /** Null: any account. */
  readonly signers: Signers | null;
  /** On the button that shows what is signed, and on the one that asks the wallet. */
  readonly labels: { readonly start: string; readonly sign: string };
  /** Said meanwhile. */
  readonly preparing: string;
  /** It ends something for good: the button that asks the wallet is marked. */
  readonly isFinal?: boolean | undefined;
  readonly sending: (messages: readonly TypedData[]) => Sending;
  /** Locked from the preparation on. */
  readonly form: HTMLFormElement | null;
  /** Whether the form can be prepared; it says to its owner why not. */
  readonly isComplete?: () => boolean;
  /** @throws FieldProblem, ApiFailure */
  readonly prepare: (
    connection: Connection,
  ) => Promise<{ readonly content: Content; readonly messages: readonly TypedData[] }>;
  readonly review: (messages: readonly TypedData[]) => Child;
  /** The body of the request with what was signed. */
  readonly bodyOf: (content: Content, signed: SignedPart, permit: SignedPart | undefined) => object;
  readonly onDone: (answer: Answer, prepared: Prepared<Content>) => void;
  /** Shows that no other try changes anything, if that is what went wrong. Default: it never is. */
  readonly showEnded?: (error: unknown) => boolean;
}

/** Has an owner review, sign and send. Each step can be tried again. Returns what takes up the wallet's account. */
export function signingFlow<Content, Answer>(
  area: HTMLElement,
  flow: SigningFlow<Content, Answer>,
): (connection: Connection | null) => void {
  const { labels, form, showEnded = () => false } = flow;
  const view = accountView(area, flow.signers, (connection, problem) => {
    render([problem, actions(button(labels.start, () => prepare(connection)))], area);
    if (problem !== undefined) area.firstElementChild?.scrollIntoView({ block: "nearest" });
  });
  return show;

  function show(connection: Connection | null, problem?: Child): void {
    form?.toggleAttribute("inert", false);
    view.show(connection, problem);
  }

  async function prepare(connection: Connection): Promise<void> {
    if (flow.isComplete?.() === false) return;
    const begun = view.turn();
    try {
      const preparation = flow.prepare(connection);
      form?.toggleAttribute("inert", true);
      render(notice("info", "One moment", flow.preparing), area);
      const { content, messages } = await preparation;
      if (view.turn() !== begun) return;
      offer({ connection, content, request: signedRequest(...messages) });
      area.focus();
    } catch (error) {
      if (view.turn() === begun && !showEnded(error)) show(connection, failureNotice(error, form));
    }
  }

  function offer(prepared: Prepared<Content>, problem?: Child): void {
    const sign = () => perform(prepared);
    render(
      [
        problem ?? flow.review(prepared.request.messages),
        actions(
          button(
            problem === undefined ? labels.sign : "Try again",
            sign,
            flow.isFinal ? "button danger" : "button",
          ),
          button("Change something", () => show(prepared.connection), "button secondary"),
        ),
      ],
      area,
    );
  }

  async function perform(prepared: Prepared<Content>): Promise<void> {
    const { connection, content, request } = prepared;
    try {
      const answer = await signAndSend<Answer>(
        area,
        connection,
        request,
        flow.sending(request.messages),
        (signed, permit) => flow.bodyOf(content, signed, permit),
      );
      flow.onDone(answer, prepared);
    } catch (error) {
      if (!showEnded(error)) offer(prepared, failureNotice(error));
    }
  }
}
