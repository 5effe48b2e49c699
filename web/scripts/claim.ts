import type { ClaimPageData } from "../claims/page-data.ts";
import type { TypedData } from "../ui/typed-data.ts";
import { ApiFailure, postJson } from "./lib/api.ts";
import { claimForm } from "./lib/claim-form.ts";
import { type Claimed, claimedView } from "./lib/claimed-view.ts";
import { actions, button, byId, code, element, link, notice, pageData } from "./lib/dom.ts";
import { failureNotice } from "./lib/failures.ts";
import { type SignedRequest, signAndSend, signedRequest } from "./lib/sign-and-send.ts";
import { typedDataView } from "./signing/typed-data-view.ts";
import { type Connection, walletPanel } from "./wallets/wallet-panel.ts";

const root = byId("claim-root");
const page = pageData<ClaimPageData>(root);
const { registrationId, agentName, network, words } = page;
const formElement = byId("claim-form") as HTMLFormElement;
const form = claimForm(formElement, page);

/** What was prepared for one account and one state of the form. */
interface Prepared {
  readonly connection: Connection;
  readonly terms: object;
  readonly typedData: TypedData;
  readonly request: SignedRequest;
}

const wallet = element("div", {});
const next = element("div", { class: "stack", tabindex: "-1" });
root.replaceChildren(element("div", { class: "stack" }, wallet, next));
walletPanel(wallet, { network, onChange: showReview });

/**
 * Counts what was shown: the answer to a question that was asked before is of another account, or
 * of other content.
 */
let shown = 0;

function showReview(connection: Connection | null, problem?: HTMLElement): void {
  shown += 1;
  form.lock(false);
  if (connection === null) {
    next.replaceChildren();
    return;
  }
  next.replaceChildren(
    ...(problem === undefined ? [] : [problem]),
    actions(button("Review what you sign", () => void prepare(connection))),
  );
}

async function prepare(connection: Connection): Promise<void> {
  if (!form.isComplete()) return;
  form.lock(true);
  next.replaceChildren(notice("info", "One moment", "The content is being put together."));
  const turn = shown;
  const editedData = form.edits();
  const terms = {
    registrationId,
    ownerAddress: connection.account,
    seal: form.seals(),
    agentKeeps: form.agentKeeps(),
    ...(editedData === undefined ? {} : { editedData }),
  };
  try {
    const typedData = await postJson<TypedData>("/v1/typed-data/claim", terms);
    if (turn !== shown) return;
    offer({
      connection,
      terms,
      typedData,
      request: signedRequest([typedData]),
    });
    next.focus();
  } catch (error) {
    if (turn === shown && !showEnded(error)) {
      showReview(connection, failureNotice(error, formElement));
    }
  }
}

function offer(prepared: Prepared, problem?: HTMLElement): void {
  const { connection } = prepared;
  next.replaceChildren(
    ...(problem === undefined ? review(prepared) : [problem]),
    actions(
      button(problem === undefined ? "Sign and claim" : "Try again", () => void claim(prepared)),
      button("Change something", () => showReview(connection), "button secondary"),
    ),
  );
}

function review({ typedData }: Prepared): HTMLElement[] {
  const { message } = typedData;
  const passport =
    message.bindPassport === true
      ? `passport ${String(message.passportId)}`
      : "a new ERC-8004 passport";
  const sealed = message.seal === true ? ", and its soul is sealed as it is" : "";
  return [
    typedDataView(
      typedData,
      words,
      `${agentName} gets ${passport}${sealed}. Your wallet shows this sentence, or the heading `,
      code("Registration"),
      ", with these values. It is no payment and no permission to move anything.",
    ),
  ];
}

async function claim(prepared: Prepared): Promise<void> {
  const { connection, terms, typedData, request } = prepared;
  const { seal, nonce } = typedData.message;
  try {
    const claimed = await signAndSend<Claimed>(next, connection, request, {
      method: "POST",
      path: "/v1/register/claim",
      label:
        seal === true
          ? "Register the passport, mint the certificate, seal the soul"
          : "Register the passport, mint the certificate",
      body: (signed) => ({ ...terms, nonce, signature: signed.signature }),
    });
    const done = claimedView(page, claimed, connection);
    byId("claim-page").replaceChildren(done);
    document.title = document.title.replace(/^Claim /, "Claimed: ");
    done.querySelector("h1")?.focus();
  } catch (error) {
    if (!showEnded(error)) offer(prepared, failureNotice(error));
  }
}

/** What can be done when there is nothing left to claim, by what the service said. */
const ENDED: Readonly<Record<string, readonly [href: string, label: string]>> = {
  ALREADY_CLAIMED: [`/agents/${agentName}`, `To ${agentName}`],
  GONE: ["/", "To the home page"],
};

/**
 * Shows that there is nothing left to claim, if that is what went wrong: no other try changes it.
 */
function showEnded(error: unknown): boolean {
  const way = error instanceof ApiFailure ? ENDED[error.type] : undefined;
  if (way === undefined) return false;
  const anchor = link(...way);
  anchor.className = "button secondary";
  next.replaceChildren(failureNotice(error), actions(anchor));
  return true;
}
