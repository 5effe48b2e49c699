import type { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import type { WaitingRequestsAnswer } from "../../../api/features/disclosure/index.ts";
import type { Field } from "../../../protocol/index.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import type { ConsoleAccess, DisclosuresAction } from "../../owner/data.ts";
import { DescriptionItem, UntrustedText } from "../../ui/components.tsx";
import { momentText } from "../../ui/text.ts";
import { rowsOrNone } from "../lib/access-action.tsx";
import { getJson, postOnce } from "../lib/api.ts";
import { button } from "../lib/dom.tsx";
import { type PageSession, sessionView } from "../lib/session-view.tsx";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { type ListedPolicy, policyEditor } from "./policy-editor.tsx";

type Waiting = z.output<typeof WaitingRequestsAnswer>;

interface Disclosed {
  readonly disclosureId: string;
  readonly fields: readonly Field[];
  readonly recipientName: string | null;
  readonly trigger: string;
  readonly issuedAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly status: "active" | "expired" | "revoked";
}

interface History {
  readonly totalDisclosures: number;
  readonly records: readonly Disclosed[];
}

const LIMIT = 100;

/** Lists an agent's open requests, its policy and what it disclosed; revokes single disclosures. */
export function disclosuresAction(
  area: HTMLElement,
  { tokenId, passportId, signers }: DisclosuresAction,
  console: ConsoleAccess | null,
): (connection: Connection | null) => void {
  return sessionView(area, {
    label: "Sign in to see them",
    signers,
    agentId: passportId,
    console,
    async load(session) {
      const read = <T,>(path: string) => getJson<T>(path, session.credential);
      const [waiting, { policies }, history] = await Promise.all([
        read<Waiting>(`/v1/disclose/requests/${tokenId}?limit=${LIMIT}`),
        read<{ policies: readonly ListedPolicy[] }>(`/v1/disclose/policy/${tokenId}`),
        read<History>(`/v1/disclose/history/${tokenId}?limit=${LIMIT}`),
      ]);
      return [
        <h3>Requests that wait for you: {waiting.totalRequests}</h3>,
        rowsOrNone(waiting.requests.map((one) => requestRow(one, tokenId))),
        more(waiting.totalRequests),
        <h3>Who may ask</h3>,
        policyEditor(tokenId, session, policies),
        <h3>What was shown: {history.totalDisclosures}</h3>,
        rowsOrNone(history.records.map((record) => historyRow(record, tokenId, session))),
        more(history.totalDisclosures),
      ];
    },
  });
}

function more(total: number): Child {
  return total <= LIMIT ? null : <p class="muted">Only {LIMIT} are listed here.</p>;
}

function requestRow(request: Waiting["requests"][number], tokenId: number): Child {
  const { requestId, requester, requestedFields, reason, expiresAt } = request;
  return (
    <DescriptionItem name={requester.agentName}>
      Asks to see {requestedFields.join(", ")}. Open until {momentText(expiresAt)}.{" "}
      <UntrustedText text={`“${reason}”`} />
      <br />
      <a href={`/disclosures/${tokenId}/requests/${requestId}`}>
        Answer the request of {requester.agentName}
      </a>
    </DescriptionItem>
  );
}

const TRIGGERS: Readonly<Record<string, string>> = {
  manual: "by yourself or the agent's key",
  policy_auto: "on request, as public values",
  disclosure_request: "on request, through the service",
  disclosure_request_p2p: "on request, directly",
  regulatory_audit: "in an audit by a regulator",
  org_audit: "in an audit by an organization",
};

const STATUS_TONES: Readonly<Record<Disclosed["status"], string>> = {
  active: "good",
  expired: "",
  revoked: "bad",
};

function historyRow(record: Disclosed, tokenId: number, { credential, run }: PageSession): Child {
  const { disclosureId, trigger, expiresAt, status } = record;
  const fields = record.fields.join(", ");
  const recipient =
    record.recipientName === null ? "The public" : visibleText(record.recipientName);
  const at = momentText(record.issuedAt);
  const until = expiresAt === null ? "without an end" : `until ${momentText(expiresAt)}`;
  const revoke = () =>
    run(() => postOnce(credential, "/v1/disclose/revoke", { tokenId, disclosureId }));
  const what = `${fields}, shown to ${recipient} on ${at}`;
  return (
    <DescriptionItem name={recipient}>
      {fields}. Shown {TRIGGERS[trigger] ?? trigger} on {at}, {until}{" "}
      <span class={`badge ${STATUS_TONES[status]}`}>{status}</span>
      {status === "active" ? [<br />, button("Revoke it", revoke, "link-button", what)] : null}
    </DescriptionItem>
  );
}
