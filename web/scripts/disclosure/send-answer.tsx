import type { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { Hex } from "viem";
import type { ConfirmedAnswer, FulfilledAnswer } from "../../../api/features/disclosure/index.ts";
import {
  type DeliveryOutcome,
  disclose,
  ForbiddenEndpointError,
  type SignedDisclosure,
  sendDisclosure,
} from "../../../kit/disclosure/disclose.ts";
import { type DisclosureDocument, disclosureDocument } from "../../../kit/disclosure/document.ts";
import type { DisclosedField, DisclosureExpiry, Field } from "../../../protocol/index.ts";
import { disclosureExpiresAt, fieldValue, proveField } from "../../../protocol/index.ts";
import { momentText } from "../../ui/text.ts";
import { send } from "../lib/api.ts";
import { actions, button, downloadLink, focusOn, linkButton, notice } from "../lib/dom.tsx";
import { failureNotice } from "../lib/failures.tsx";
import { showSteps } from "../lib/steps.tsx";
import { signBytes } from "../wallets/wallets.ts";
import type { RequestContext, Way } from "./decisions.ts";
import { documentLink } from "./document-link.ts";
import type { KnownSoul } from "./soul-files.ts";

/** What the owner decided. */
export interface OwnerAnswer extends RequestContext {
  /** Null only where nothing is shown. */
  readonly known: KnownSoul | null;
  readonly shown: readonly Field[];
  readonly denied: readonly Field[];
  readonly expiresIn: DisclosureExpiry;
  readonly way: Way;
  /** The request was answered: nothing is left to decide. */
  readonly onAnswered: () => void;
  /** The owner wants to change something. */
  readonly onChange: () => void;
}

/** How an answer ended. */
interface Outcome {
  readonly fields: readonly Field[];
  readonly expiresAt: string | null;
  /** Why the values did not arrive; null when they did. */
  readonly problem: string | null;
}

/** Sends the answer in the way that was chosen, and shows how that went, in `area`. */
export function sendAnswer(area: HTMLElement, answer: OwnerAnswer): void {
  const sending = answer.way === "service" ? throughService(answer) : directly(answer);
  void attempt();

  async function attempt(): Promise<void> {
    try {
      const outcome = await sending.attempt(area);
      answer.onAnswered();
      render(outcomeView(answer, outcome, attempt), area);
    } catch (error) {
      const change = button("Change something", answer.onChange, "button secondary");
      render(
        [
          error instanceof DeliveryProblem ? notSent(error) : failureNotice(error),
          actions(button("Try again", attempt), sending.isSent() ? null : change),
        ],
        area,
      );
    }
    focusOn(area);
  }
}

interface Sending {
  readonly attempt: (area: HTMLElement) => Promise<Outcome>;
  /** Whether the requester has the values: the answer can no longer be another one. */
  readonly isSent: () => boolean;
}

/** Only the values that are shown are sent. */
function throughService(answer: OwnerAnswer): Sending {
  const { page, session, shown, denied, expiresIn, known } = answer;
  const attempt: Sending["attempt"] = async (area) => {
    const set = showSteps(area, { send: "Answer through the service" });
    set("send", "active");
    const sent = await send<z.output<typeof FulfilledAnswer>>(
      "POST",
      `/v1/disclose/request/${page.requestId}/fulfill`,
      {
        tokenId: page.tokenId,
        disclosures: shown.map((field) => ({
          field,
          value: known === null ? null : fieldValue(known.ccsf, field),
        })),
        deniedFields: denied,
        expiresIn,
      },
      { credential: session.credential },
    );
    return {
      fields: sent.fulfilled.map(({ field }) => field),
      expiresAt: sent.expiresAt,
      problem: sent.deliveryProblem,
    };
  };
  return { attempt, isSent: () => false };
}

/** Signed, encrypted and sent by this browser. The service is only notified of the fields' names. */
function directly(answer: OwnerAnswer): Sending {
  const { page, session, request, shown, denied, expiresIn } = answer;
  const { disclosureEndpoint: endpoint } = request;
  /** Kept, so that trying again asks the wallet for nothing that it has given. */
  let signed: SignedDisclosure | null = null;
  let isSent = false;
  const repetition = crypto.randomUUID();

  const attempt: Sending["attempt"] = async (area) => {
    if (endpoint === null) throw new Error("The request names no endpoint.");
    const set = showSteps(area, {
      sign: `Sign in ${session.wallet.name}`,
      send: `Send it to ${new URL(endpoint).host}`,
      record: "Record that it was sent",
    });
    const asks = "Your wallet asks for a signature of 32 bytes: the hash of what is sent.";
    set("sign", "active", asks);
    signed ??= await signedDisclosure(answer);
    set("sign", "done");
    set("send", "active");
    if (!isSent) await deliver(endpoint, signed);
    isSent = true;
    set("send", "done");
    set("record", "active", "Names of fields, no values.");
    const recorded = await send<z.output<typeof ConfirmedAnswer>>(
      "POST",
      `/v1/disclose/request/${page.requestId}/confirm-p2p`,
      { tokenId: page.tokenId, fulfilledFields: shown, deniedFields: denied, expiresIn },
      { credential: session.credential, repetition },
    );
    return { fields: shown, expiresAt: recorded.expiresAt, problem: null };
  };
  return { attempt, isSent: () => isSent };
}

function signedDisclosure(answer: OwnerAnswer): Promise<SignedDisclosure> {
  const { page, session, request, expiresIn } = answer;
  const publicKey = request.disclosurePublicKey as Hex | null;
  return disclose({
    requestId: page.requestId,
    fromAgent: page.agentName,
    fromTokenId: page.tokenId,
    disclosures: provenFields(answer),
    expiresAt: disclosureExpiresAt(expiresIn, new Date()),
    sign: (digest) => signBytes(session.wallet.provider, session.account, digest) as Promise<Hex>,
    encryptTo: publicKey === null ? undefined : { kind: "secp256k1", publicKey },
  });
}

/** The values did not reach the requester's endpoint. */
class DeliveryProblem extends Error {
  override readonly name = "DeliveryProblem";
}

function notSent({ message }: DeliveryProblem): Child {
  return notice(
    "bad",
    "The requester's endpoint did not take the values",
    message,
    "Nothing was recorded, and the request is still open.",
  );
}

const DELIVERY_WORDS: Readonly<Record<"timeout" | "unreachable" | "redirect" | "refused", string>> =
  {
    timeout: "It did not answer in time. It may have received the values.",
    unreachable:
      "It did not answer, or does not let browsers send to it (CORS). The requester has to change that, or ask without an endpoint.",
    redirect: "It sends to another address. Values go to the address of the request alone.",
    refused: "It refused the values.",
  };

/** @throws DeliveryProblem */
async function deliver(endpoint: string, signed: SignedDisclosure): Promise<void> {
  const why = await sendDisclosure(endpoint, signed).then(
    (outcome) => (outcome.delivered ? null : deliveryWords(outcome)),
    (error: unknown) => {
      if (error instanceof ForbiddenEndpointError) return error.message;
      throw error;
    },
  );
  if (why !== null) throw new DeliveryProblem(why);
}

function deliveryWords({ reason, status }: Extract<DeliveryOutcome, { delivered: false }>): string {
  return reason === "refused"
    ? `${DELIVERY_WORDS.refused} Status ${status}.`
    : DELIVERY_WORDS[reason];
}

function provenFields({ known, soul, shown }: OwnerAnswer): readonly DisclosedField[] {
  if (known === null) throw new Error("Values are shown only of a soul that was read.");
  return shown.map((field) => ({ ...proveField(known, field), merkleRoot: soul.merkleRoot }));
}

function outcomeView(answer: OwnerAnswer, outcome: Outcome, again: () => void): Child {
  const { request, page, denied } = answer;
  const { fields, expiresAt, problem } = outcome;
  const list = linkButton(`/disclosures/${page.tokenId}`, "See all requests");
  const { agentName } = request.requester;
  if (fields.length === 0) {
    return [notice("good", "You showed nothing", `${agentName} was refused.`), actions(list)];
  }
  const until = expiresAt === null ? "It has no end." : `It stands until ${momentText(expiresAt)}.`;
  const kept = denied.length === 0 ? "" : ` You kept ${denied.join(", ")} closed.`;
  const said = `${agentName} was shown ${fields.join(", ")}. ${until}${kept}`;
  const document = documentOf(answer, expiresAt);
  const next =
    "Nothing was stored. Send the same values again, or give the requester the file below.";
  return [
    problem === null
      ? notice("good", "Shown", said)
      : notice("caution", "Answered, but the values did not arrive", problem, next),
    <p>
      The file below proves the same values to everyone who has it, without this service. It holds
      the values: keep it, or pass it on.
    </p>,
    actions(
      problem === null ? null : button("Send the values again", again),
      downloadLink(document, `${document.agentName}-disclosure.json`, "Download the proof"),
      linkButton(documentLink(document), "See how it is verified"),
      list,
    ),
  ];
}

function documentOf(answer: OwnerAnswer, expiresAt: string | null): DisclosureDocument {
  const { page, request } = answer;
  return disclosureDocument({
    chainId: page.network.chainId,
    soulView: page.soulView,
    agentName: page.agentName,
    tokenId: page.tokenId,
    disclosures: provenFields(answer),
    issuedTo: request.requester.did,
    issuedAt: new Date().toISOString(),
    expiresAt,
  });
}
