import { render } from "hono/jsx/dom";
import type { ClaimPageData } from "../claims/page-data.ts";
import { Code } from "../ui/components.tsx";
import { SignedReview } from "../ui/signed-message.tsx";
import type { TypedData } from "../ui/typed-data.ts";
import { ApiFailure, send } from "./lib/api.ts";
import { claimForm } from "./lib/claim-form.ts";
import { type Claimed, claimedView } from "./lib/claimed-view.tsx";
import { actions, byId, linkButton, pageData } from "./lib/dom.tsx";
import { failureNotice } from "./lib/failures.tsx";
import { signingFlow } from "./lib/signing-flow.tsx";
import { walletAreas, walletPanel } from "./wallets/wallet-panel.tsx";

const root = byId("claim-root");
const page = pageData<ClaimPageData>(root);
const { registrationId, agentName, network } = page;
const formElement = byId("claim-form") as HTMLFormElement;
const form = claimForm(formElement, page);

const [wallet, next] = walletAreas(root);
const onChange = signingFlow<{ terms: object; nonce: unknown }, Claimed>(next, {
  signers: null,
  labels: { start: "Review what you sign", sign: "Sign and claim" },
  preparing: "The content is being put together.",
  sending: (messages) => ({ method: "POST", path: "/v1/register/claim", label: stepOf(messages) }),
  form: formElement,
  isComplete: form.isComplete,
  async prepare({ account }) {
    const editedData = form.edits();
    const terms = {
      registrationId,
      ownerAddress: account,
      seal: form.seals(),
      agentKeeps: form.agentKeeps(),
      ...(editedData === undefined ? {} : { editedData }),
    };
    const typedData = await send<TypedData>("POST", "/v1/typed-data/claim", terms);
    return { content: { terms, nonce: typedData.message.nonce }, messages: [typedData] };
  },
  review: (messages) => messages.map((typedData) => <Review typedData={typedData} />),
  bodyOf: ({ terms, nonce }, { signature }) => ({ ...terms, nonce, signature }),
  onDone(claimed, { connection }) {
    const area = byId("claim-page");
    render(claimedView(page, claimed, connection), area);
    document.title = document.title.replace(/^Claim /, "Claimed: ");
    area.querySelector("h1")?.focus();
  },
  showEnded,
});
walletPanel(wallet, { network, onChange });

function stepOf([typedData]: readonly TypedData[]): string {
  return typedData?.message.seal === true
    ? "Register the passport, mint the certificate, seal the soul"
    : "Register the passport, mint the certificate";
}

function Review({ typedData }: { typedData: TypedData }) {
  const { bindPassport, passportId, seal } = typedData.message;
  const passport =
    bindPassport === true ? `passport ${String(passportId)}` : "a new ERC-8004 passport";
  return (
    <SignedReview typedData={typedData} words={page.words}>
      <p>
        {agentName} gets {passport}
        {seal === true ? ", and its soul is sealed as it is" : ""}. Your wallet shows this sentence,
        or the heading <Code>Registration</Code>, with these values. It is no payment and no
        permission to move anything.
      </p>
    </SignedReview>
  );
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
  render([failureNotice(error), actions(linkButton(...way))], next);
  return true;
}
