import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import { didOf } from "../../../protocol/did.ts";
import { type DisclosurePolicy, type Field, isField } from "../../../protocol/index.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import type { ApprovalPageData } from "../../disclosure/page-data.ts";
import { Badge, Card, Code, Facts } from "../../ui/components.tsx";
import { momentText } from "../../ui/text.ts";
import { ApiFailure, getJson } from "../lib/api.ts";
import { notice } from "../lib/dom.tsx";
import { failureNotice } from "../lib/failures.tsx";
import type { WalletSession } from "../lib/session-view.tsx";
import { sameAddress } from "../wallets/wallets.ts";
import { showAnswerCards } from "./answer-cards.tsx";
import type { DisclosureRequest } from "./decisions.ts";
import { type SoulState, soulState } from "./soul-state.ts";

/**
 * Shows a request in `area`, with all that is known of who asks, and what the owner can do about it.
 *
 * @param isShown Whether the area is still of this session when everything is read.
 */
export async function showRequest(
  area: HTMLElement,
  page: ApprovalPageData,
  session: WalletSession,
  isShown: () => boolean,
): Promise<void> {
  const { requestId, tokenId, agentName, soulView } = page;
  const show = (view: Child) => {
    if (isShown()) render(view, area);
  };
  let request: DisclosureRequest;
  try {
    request = await getJson(`/v1/disclose/request/${requestId}`, session.credential);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.type !== "NOT_FOUND") {
      return show(failureNotice(error));
    }
    const why = `No request with this id asks ${agentName} for anything. Open the link again from the list of requests.`;
    return show(notice("caution", "There is no such request", why, toList(page)));
  }
  if (request.target.tokenId !== tokenId) {
    const asked = `It asks ${request.target.agentName}.`;
    return show(notice("caution", "This request is not yours to answer", asked));
  }
  const { provider } = session.wallet;
  const [policy, soul, requester, organization, published] = await Promise.all([
    activePolicy(page, session),
    soulState(provider, soulView, tokenId).catch(() => null),
    soulState(provider, soulView, request.requester.tokenId).catch(() => null),
    organizationOf(request.requester.agentName),
    publicFields(agentName),
  ]);
  const about = [
    standing(request, page),
    <RequesterCard
      request={request}
      state={requester}
      organization={organization}
      chainId={page.network.chainId}
    />,
    <PurposeCard request={request} />,
  ];
  if (!isAnswerable(request)) return show(about);
  if (soul === null) {
    const why = "The page compares your file with the chain through your wallet's own node.";
    const failed = notice("bad", "Your wallet could not read the chain", why, "Try again later.");
    return show([about, failed]);
  }
  if (!mayDisclose(soul, page, session)) {
    const why =
      "Your wallet's node says that the soul is not valid, or that another account owns it.";
    return show([about, notice("bad", "Nothing can be shown now", why)]);
  }
  const opened = new Set([...published, ...request.given]);
  if (isShown()) showAnswerCards(area, about, { page, session, request, policy, soul, opened });
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

function standing(request: DisclosureRequest, page: ApprovalPageData): Child {
  const { status, answer, expiresAt } = request;
  if (status === "expired") {
    const when = `It was open until ${momentText(expiresAt)}. The agent can ask again.`;
    return notice("caution", "This request has expired", when, toList(page));
  }
  if (status === "cancelled") {
    const why = "One of the two agents was resealed or has ended since.";
    return notice("caution", "This request was cancelled", why, toList(page));
  }
  if (status !== "fulfilled" || answer === null) return null;
  const fields = answer.fulfilledFields.join(", ") || "nothing";
  const said = `On ${momentText(answer.answeredAt)} ${request.requester.agentName} was shown ${fields}.`;
  if (isAnswerable(request)) {
    const title = "This request was answered, and the values did not arrive";
    const why =
      "The requester's webhooks did not take the values. Choose your file to send the same values again.";
    return notice("caution", title, said, why);
  }
  return notice("info", "This request has been answered", said, toList(page));
}

function toList({ tokenId }: ApprovalPageData): Child {
  return (
    <p>
      <a href={`/disclosures/${tokenId}`}>See all requests</a>
    </p>
  );
}

async function activePolicy(
  { tokenId }: ApprovalPageData,
  { credential }: WalletSession,
): Promise<DisclosurePolicy | null> {
  interface Listed {
    readonly policies: readonly (DisclosurePolicy & { readonly active: boolean })[];
  }
  const { policies } = await getJson<Listed>(`/v1/disclose/policy/${tokenId}`, credential);
  return policies.find(({ active }) => active) ?? null;
}

/** The fields that the service gives out to everyone; none when it does not answer. */
async function publicFields(agentName: string): Promise<readonly Field[]> {
  interface Summary {
    readonly soulFields: Readonly<Record<string, { readonly disclosed: boolean }>>;
  }
  try {
    const path = `/v1/disclose/summary/${encodeURIComponent(agentName)}`;
    const { soulFields } = await getJson<Summary>(path);
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
    return (await getJson<{ organizationId: number }>(path)).organizationId;
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}

function RequesterCard({
  request: { requester },
  state,
  organization,
  chainId,
}: {
  request: DisclosureRequest;
  /** As the owner's wallet reads it; null when it could not. */
  state: SoulState | null;
  /** As the service says: 0 for none; null when it did not say. */
  organization: number | null;
  chainId: number;
}) {
  const { agentName, tokenId } = requester;
  return (
    <Card title="Who asks">
      <Facts
        of={{
          Agent: [<a href={`/agents/${agentName}`}>{agentName}</a>, `, certificate ${tokenId}`],
          ...chainFacts(requester, state, chainId),
          Organization: organizationWords(organization),
        }}
      />
    </Card>
  );
}

/** Read through the owner's wallet, not from the service. */
function chainFacts(
  { agentName, did }: DisclosureRequest["requester"],
  state: SoulState | null,
  chainId: number,
): Record<string, Child> {
  if (state === null) {
    return {
      DID: [<Code>{visibleText(did)}</Code>, ", as the service says"],
      "On chain": <Badge tone="bad">Could not be read</Badge>,
    };
  }
  const { valid, humanVerified, passportId, owner, block } = state;
  if (state.agentName !== agentName) {
    const other = `The chain names it ${visibleText(state.agentName)}`;
    return { "On chain": <Badge tone="bad">{other}</Badge> };
  }
  const tier = humanVerified ? "3, human-verified" : "2, sealed soul";
  const person = humanVerified ? "proved to be a person" : "has not proved to be a person";
  return {
    DID: <Code>{didOf(chainId, state.agentName)}</Code>,
    Soul: <Badge tone={valid ? "good" : "bad"}>{valid ? "Sealed and valid" : "Not valid"}</Badge>,
    Tier: valid ? tier : "1, passport only",
    "Its owner": [<Code>{owner}</Code>, <br />, person],
    Passport: String(passportId),
    Read: `by your wallet, in block ${block}`,
  };
}

function organizationWords(organization: number | null): Child {
  if (organization === null) return "not known: the service did not say";
  if (organization === 0) return "none";
  return (
    <>
      member of <a href={`/organizations/${organization}`}>organization {organization}</a>, as the
      service says
    </>
  );
}

function PurposeCard({ request }: { request: DisclosureRequest }) {
  const { reason, requestedFields, given, rejected, createdAt, expiresAt } = request;
  const refused = rejected.map(
    ({ field, reason: why }) => `${field} (${why.replaceAll("_", " ")})`,
  );
  return (
    <Card title="What it asks for, and why">
      <figure class="quote">
        <figcaption>In the requester's own words, which are not verified:</figcaption>
        <blockquote class="said" dir="auto">
          {visibleText(reason)}
        </blockquote>
      </figure>
      <Facts
        of={{
          Fields: requestedFields.join(", "),
          "Given out already": given.length === 0 ? null : `${given.join(", ")}: public`,
          "Refused by your policy": refused.length === 0 ? null : refused.join(", "),
          Asked: momentText(createdAt),
          "Open until": momentText(expiresAt),
        }}
      />
    </Card>
  );
}
