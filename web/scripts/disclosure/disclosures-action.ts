import type { z } from "@hono/zod-openapi";
import type { WaitingRequestsAnswer } from "../../../api/features/disclosure/index.ts";
import type { Field } from "../../../protocol/index.ts";
import { visibleText } from "../../../protocol/visible-text.ts";
import type { ConsoleAccess, DisclosuresAction } from "../../owner/data.ts";
import { getAs, postAs } from "../lib/api.ts";
import { button, element, fact, link } from "../lib/dom.ts";
import { momentText } from "../lib/moments.ts";
import { type PageSession, sessionView } from "../lib/session-view.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { type ListedPolicy, policyEditor } from "./policy-editor.ts";

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
    needsWallet: false,
    async load(session) {
      const read = <T>(path: string) => getAs<T>(session.credential, path);
      const [waiting, { policies }, history] = await Promise.all([
        read<Waiting>(`/v1/disclose/requests/${tokenId}?limit=${LIMIT}`),
        read<{ policies: readonly ListedPolicy[] }>(`/v1/disclose/policy/${tokenId}`),
        read<History>(`/v1/disclose/history/${tokenId}?limit=${LIMIT}`),
      ]);
      return [
        element("h3", {}, `Requests that wait for you: ${waiting.totalRequests}`),
        listed(waiting.requests.map((one) => requestRow(one, tokenId))),
        ...more(waiting.totalRequests),
        element("h3", {}, "Who may ask"),
        ...policyEditor({ tokenId, session, policies }),
        element("h3", {}, `What was shown: ${history.totalDisclosures}`),
        listed(history.records.map((record) => historyRow(record, tokenId, session))),
        ...more(history.totalDisclosures),
      ];
    },
  });
}

function listed(rows: readonly HTMLElement[]): HTMLElement {
  return rows.length === 0
    ? element("p", { class: "muted" }, "None.")
    : element("dl", { class: "facts" }, ...rows);
}

function more(total: number): HTMLElement[] {
  if (total <= LIMIT) return [];
  return [element("p", { class: "muted" }, `Only ${LIMIT} are listed here.`)];
}

function requestRow(request: Waiting["requests"][number], tokenId: number): HTMLElement {
  const { requestId, requester, requestedFields, reason, expiresAt } = request;
  return fact(
    requester.agentName,
    `Asks to see ${requestedFields.join(", ")}. Open until ${momentText(expiresAt)}. `,
    element("span", { class: "said", dir: "auto" }, `“${visibleText(reason)}”`),
    element("br"),
    link(
      `/disclosures/${tokenId}/requests/${requestId}`,
      `Answer the request of ${requester.agentName}`,
    ),
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

function historyRow(record: Disclosed, tokenId: number, session: PageSession): HTMLElement {
  const { disclosureId, fields, recipientName, trigger, issuedAt, expiresAt, status } = record;
  const recipient = recipientName === null ? "The public" : visibleText(recipientName);
  const until = expiresAt === null ? "without an end" : `until ${momentText(expiresAt)}`;
  const what = `${fields.join(", ")}, shown to ${recipient} on ${momentText(issuedAt)}`;
  const revoke = () =>
    session.run(async () => {
      await postAs(
        session.credential,
        "/v1/disclose/revoke",
        { tokenId, disclosureId },
        crypto.randomUUID(),
      );
    });
  const ending = button("Revoke it", revoke, "link-button");
  ending.setAttribute("aria-label", `Revoke it: ${what}`);
  return fact(
    recipient,
    `${fields.join(", ")}. Shown ${TRIGGERS[trigger] ?? trigger} on ${momentText(issuedAt)}, ${until} `,
    element("span", { class: `badge ${STATUS_TONES[status]}` }, status),
    ...(status === "active" ? [element("br"), ending] : []),
  );
}
