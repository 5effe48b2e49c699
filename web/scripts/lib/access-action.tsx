import type { Child } from "hono/jsx";
import { visibleText } from "../../../protocol/visible-text.ts";
import type { AccessAction, ConsoleAccess } from "../../owner/data.ts";
import { DescriptionItem, DescriptionList } from "../../ui/components.tsx";
import { momentText } from "../../ui/text.ts";
import type { Connection } from "../wallets/wallet-panel.tsx";
import { getJson, send } from "./api.ts";
import { button } from "./dom.tsx";
import { type PageSession, sessionView } from "./session-view.tsx";

interface Session {
  readonly sessionId: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly current: boolean;
}

interface Key {
  readonly keyId: string;
  readonly kind: string;
  readonly holder: string;
  readonly hint: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

interface Webhook {
  readonly webhookId: string;
  readonly url: string;
  readonly enabled: boolean;
}

/** Lists what acts for an agent or hears of it, and ends single ones. */
export function accessAction(
  area: HTMLElement,
  { tokenId, passportId, signers }: AccessAction,
  console: ConsoleAccess | null,
): (connection: Connection | null) => void {
  const of = `tokenId=${tokenId}`;
  return sessionView(area, {
    label: "Sign in to see them",
    signers,
    agentId: passportId,
    console,
    async load(session) {
      const read = <T,>(path: string) => getJson<T>(path, session.credential);
      const [{ keys }, { sessions, nextCursor }, { webhooks }] = await Promise.all([
        read<{ keys: readonly Key[] }>(`/v1/keys?${of}`),
        read<{ sessions: readonly Session[]; nextCursor: string | null }>(
          `/v1/sessions?${of}&limit=100`,
        ),
        read<{ webhooks: readonly Webhook[] }>(`/v1/webhooks?${of}`),
      ]);
      const now = Date.now();
      const working = keys.filter(
        ({ revokedAt }) => revokedAt === null || Date.parse(revokedAt) > now,
      );
      return [
        listed(
          "API keys",
          working.map((key) => keyRow(key, session)),
        ),
        listed(
          "Sessions",
          sessions.map((one) => sessionRow(one, session)),
        ),
        nextCursor === null ? null : <p class="muted">There are more sessions than these.</p>,
        listed(
          "Webhooks",
          webhooks.map((webhook) => webhookRow(webhook, session)),
        ),
      ];
    },
  });
}

function listed(title: string, rows: Child[]): Child {
  return [<h3>{`${title}: ${rows.length}`}</h3>, rowsOrNone(rows)];
}

/** Names and values; says so where the list is empty. */
export function rowsOrNone(rows: Child[]): Child {
  return rows.length === 0 ? <p class="muted">None.</p> : <DescriptionList>{rows}</DescriptionList>;
}

function keyRow({ keyId, kind, holder, hint, lastUsedAt }: Key, session: PageSession): Child {
  return (
    <DescriptionItem name={hint}>
      {kind === "live" ? "Full" : "Provisional"} key of the {holder}; {lastUse(lastUsedAt)}{" "}
      {end(session, `the key ${hint}`, `/v1/keys/${keyId}`)}
    </DescriptionItem>
  );
}

function sessionRow(one: Session, session: PageSession): Child {
  const { sessionId, scopes, expiresAt, lastUsedAt, current } = one;
  const audience = visibleText(one.audience);
  return (
    <DescriptionItem name={audience}>
      {scopes.join(", ")}; {lastUse(lastUsedAt)}; ends {momentText(expiresAt)}{" "}
      {current ? (
        <span class="muted">(this page)</span>
      ) : (
        end(session, `the session of ${audience}`, `/v1/sessions/${sessionId}`)
      )}
    </DescriptionItem>
  );
}

function webhookRow({ webhookId, url, enabled }: Webhook, session: PageSession): Child {
  return (
    <DescriptionItem name={visibleText(url)}>
      {enabled ? "enabled" : "disabled"}{" "}
      {end(session, `the webhook to ${visibleText(url)}`, `/v1/webhooks/${webhookId}`)}
    </DescriptionItem>
  );
}

function end({ credential, run }: PageSession, what: string, path: string): Child {
  const act = () => run(() => send("DELETE", path, null, { credential }));
  return button("End it", act, "link-button", what);
}

function lastUse(at: string | null): string {
  return at ? `last used ${momentText(at)}` : "not used yet";
}
