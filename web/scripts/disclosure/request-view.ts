import { didOf } from "../../../protocol/did.ts";
import { type DisclosurePolicy, type Field, isField } from "../../../protocol/index.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import type { ApprovalPageData } from "../../disclosure/page-data.ts";
import { ApiFailure, getAs, getJson } from "../lib/api.ts";
import { card, code, element, fact, link, notice } from "../lib/dom.ts";
import { failureNotice } from "../lib/failures.ts";
import { momentText } from "../lib/moments.ts";
import type { WalletSession } from "../lib/session-view.ts";
import { sameAddress } from "../wallets/wallets.ts";
import { answerCards } from "./answer-cards.ts";
import type { DisclosureRequest } from "./request-context.ts";
import { type SoulState, soulState } from "./soul-state.ts";

/** A request with all that is known of who asks, and what the owner can do about it. */
export async function requestView(
  page: ApprovalPageData,
  session: WalletSession,
): Promise<readonly HTMLElement[]> {
  const { requestId, tokenId, agentName, soulView } = page;
  let request: DisclosureRequest;
  try {
    request = await getAs(session.credential, `/v1/disclose/request/${requestId}`);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.type !== "NOT_FOUND") return [failureNotice(error)];
    const why = `No request with this id asks ${agentName} for anything. Open the link again from the list of requests.`;
    return [notice("caution", "There is no such request", why, toList(page))];
  }
  if (request.target.tokenId !== tokenId) {
    const { agentName: asked } = request.target;
    return [notice("caution", "This request is not yours to answer", `It asks ${asked}.`)];
  }
  const { provider } = session.wallet;
  const [policy, soul, requester, organization, published] = await Promise.all([
    activePolicy(page, session),
    soulState(provider, soulView, tokenId).catch(() => null),
    soulState(provider, soulView, request.requester.tokenId).catch(() => null),
    organizationOf(request.requester.agentName),
    publicFields(agentName),
  ]);
  const cards = [
    ...standing(request, page),
    requesterCard(request, { state: requester, organization, chainId: page.network.chainId }),
    purposeCard(request),
  ];
  if (!isAnswerable(request)) return cards;
  if (soul === null) {
    const why = "The page compares your file with the chain through your wallet's own node.";
    cards.push(notice("bad", "Your wallet could not read the chain", why, "Try again later."));
    return cards;
  }
  if (!mayDisclose(soul, page, session)) {
    const why =
      "Your wallet's node says that the soul is not valid, or that another account owns it.";
    cards.push(notice("bad", "Nothing can be shown now", why));
    return cards;
  }
  const opened = new Set([...published, ...request.given]);
  return [...cards, ...answerCards({ page, session, request, policy, soul, opened })];
}

/** By the wallet's own node: the service could send an owner to a soul of another account. */
function mayDisclose(
  { agentName, valid, owner }: SoulState,
  page: ApprovalPageData,
  { account }: WalletSession,
): boolean {
  return valid && agentName === page.agentName && sameAddress(owner, account);
}

/** Whether an answer is expected, or its values have still to be sent. */
function isAnswerable({ status, answer }: DisclosureRequest): boolean {
  if (status === "fulfilled") {
    return answer?.requesterNotified === false && answer.fulfilledFields.length > 0;
  }
  return status === "pending_approval" || status === "partially_fulfilled";
}

function standing(request: DisclosureRequest, page: ApprovalPageData): HTMLElement[] {
  const { status, answer, expiresAt } = request;
  if (status === "expired") {
    const when = `It was open until ${momentText(expiresAt)}. The agent can ask again.`;
    return [notice("caution", "This request has expired", when, toList(page))];
  }
  if (status === "cancelled") {
    const why = "One of the two agents was resealed or has ended since.";
    return [notice("caution", "This request was cancelled", why, toList(page))];
  }
  if (status !== "fulfilled" || answer === null) return [];
  const fields = answer.fulfilledFields.join(", ") || "nothing";
  const said = `On ${momentText(answer.answeredAt)} ${request.requester.agentName} was shown ${fields}.`;
  if (isAnswerable(request)) {
    const why =
      "The requester's webhooks did not take the values. Choose your file to send the same values again.";
    return [
      notice("caution", "This request was answered, and the values did not arrive", said, why),
    ];
  }
  return [notice("info", "This request has been answered", said, toList(page))];
}

function toList({ tokenId }: ApprovalPageData): HTMLElement {
  return element("p", {}, link(`/disclosures/${tokenId}`, "See all requests"));
}

async function activePolicy(
  { tokenId }: ApprovalPageData,
  { credential }: WalletSession,
): Promise<DisclosurePolicy | null> {
  interface Listed {
    readonly policies: readonly (DisclosurePolicy & { readonly active: boolean })[];
  }
  const { policies } = await getAs<Listed>(credential, `/v1/disclose/policy/${tokenId}`);
  return policies.find(({ active }) => active) ?? null;
}

/** The fields that the service gives out to everyone; none when it does not answer. */
async function publicFields(agentName: string): Promise<readonly Field[]> {
  interface Summary {
    readonly soulFields: Readonly<Record<string, { readonly disclosed: boolean }>>;
  }
  try {
    const path = `/v1/disclose/summary/${encodeURIComponent(agentName)}`;
    const { soulFields } = await getJson<Summary>(path, "no-store");
    return Object.keys(soulFields)
      .filter(isField)
      .filter((field) => soulFields[field]?.disclosed === true);
  } catch (error) {
    if (error instanceof ApiFailure) return [];
    throw error;
  }
}

/** 0 for none; null when the service does not answer. */
async function organizationOf(agentName: string): Promise<number | null> {
  try {
    const path = `/v1/profile/${encodeURIComponent(agentName)}`;
    return (await getJson<{ organizationId: number }>(path, "no-store")).organizationId;
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}

interface RequesterKnowledge {
  /** As the owner's wallet reads it; null when it could not. */
  readonly state: SoulState | null;
  /** As the service says: 0 for none; null when it did not say. */
  readonly organization: number | null;
  readonly chainId: number;
}

function requesterCard(
  { requester }: DisclosureRequest,
  { state, organization, chainId }: RequesterKnowledge,
): HTMLElement {
  const { agentName, tokenId } = requester;
  return card(
    "Who asks",
    element(
      "dl",
      { class: "facts" },
      fact("Agent", link(`/agents/${agentName}`, agentName), `, certificate ${tokenId}`),
      ...chainFacts(requester, state, chainId),
      fact("Organization", ...organizationWords(organization)),
    ),
  );
}

/** Read through the owner's wallet, not from the service. */
function chainFacts(
  { agentName, did }: DisclosureRequest["requester"],
  state: SoulState | null,
  chainId: number,
): HTMLElement[] {
  if (state === null) {
    return [
      fact("DID", code(visibleText(did)), ", as the service says"),
      fact("On chain", badge("bad", "Could not be read")),
    ];
  }
  const { valid, humanVerified, passportId, owner, block } = state;
  if (state.agentName !== agentName) {
    const other = `The chain names it ${visibleText(state.agentName)}`;
    return [fact("On chain", badge("bad", other))];
  }
  const tier = humanVerified ? "3, human-verified" : "2, sealed soul";
  return [
    fact("DID", code(didOf(chainId, state.agentName))),
    fact("Soul", valid ? badge("good", "Sealed and valid") : badge("bad", "Not valid")),
    fact("Tier", valid ? tier : "1, passport only"),
    fact(
      "Its owner",
      code(owner),
      element("br"),
      humanVerified ? "proved to be a person" : "has not proved to be a person",
    ),
    fact("Passport", String(passportId)),
    fact("Read", `by your wallet, in block ${block}`),
  ];
}

function organizationWords(organization: number | null): (HTMLElement | string)[] {
  if (organization === null) return ["not known: the service did not say"];
  if (organization === 0) return ["none"];
  return [
    "member of ",
    link(`/organizations/${organization}`, `organization ${organization}`),
    ", as the service says",
  ];
}

function badge(tone: string, text: string): HTMLElement {
  return element("span", { class: `badge ${tone}` }, text);
}

function purposeCard(request: DisclosureRequest): HTMLElement {
  const { reason, requestedFields, given, rejected, createdAt, expiresAt } = request;
  const refused = rejected.map(
    ({ field, reason: why }) => `${field} (${why.replaceAll("_", " ")})`,
  );
  return card(
    "What it asks for, and why",
    element(
      "figure",
      { class: "quote" },
      element("figcaption", {}, "In the requester's own words, which are not verified:"),
      element("blockquote", { class: "said", dir: "auto" }, visibleText(reason)),
    ),
    element(
      "dl",
      { class: "facts" },
      fact("Fields", requestedFields.join(", ")),
      ...(given.length === 0 ? [] : [fact("Given out already", `${given.join(", ")}: public`)]),
      ...(refused.length === 0 ? [] : [fact("Refused by your policy", refused.join(", "))]),
      fact("Asked", momentText(createdAt)),
      fact("Open until", momentText(expiresAt)),
    ),
  );
}
