import { visibleText } from "../../../protocol/visible-text.ts";
import type { AccessAction, ConsoleAccess } from "../../owner/data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { deleteAs, getAs } from "./api.ts";
import { button, element, fact } from "./dom.ts";
import { momentText } from "./moments.ts";
import { type PageSession, sessionView } from "./session-view.ts";

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
    needsWallet: false,
    async load(session) {
      const read = <T>(path: string) => getAs<T>(session.credential, path);
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
        ...listed(
          "API keys",
          working.map((key) => keyRow(key, session)),
        ),
        ...listed(
          "Sessions",
          sessions.map((one) => sessionRow(one, session)),
        ),
        ...(nextCursor === null
          ? []
          : [element("p", { class: "muted" }, "There are more sessions than these.")]),
        ...listed(
          "Webhooks",
          webhooks.map((webhook) => webhookRow(webhook, session)),
        ),
      ];
    },
  });
}

function listed(title: string, rows: readonly HTMLElement[]): HTMLElement[] {
  const list =
    rows.length === 0
      ? element("p", { class: "muted" }, "None.")
      : element("dl", { class: "facts" }, ...rows);
  return [element("h3", {}, `${title}: ${rows.length}`), list];
}

function keyRow({ keyId, kind, holder, hint, lastUsedAt }: Key, session: PageSession) {
  return fact(
    hint,
    `${kind === "live" ? "Full" : "Provisional"} key of the ${holder}; ${lastUse(lastUsedAt)} `,
    end(session, `the key ${hint}`, `/v1/keys/${keyId}`),
  );
}

function sessionRow(one: Session, session: PageSession) {
  const { sessionId, audience, scopes, expiresAt, lastUsedAt, current } = one;
  return fact(
    visibleText(audience),
    `${scopes.join(", ")}; ${lastUse(lastUsedAt)}; ends ${momentText(expiresAt)} `,
    current
      ? element("span", { class: "muted" }, "(this page)")
      : end(session, `the session of ${visibleText(audience)}`, `/v1/sessions/${sessionId}`),
  );
}

function webhookRow({ webhookId, url, enabled }: Webhook, session: PageSession) {
  return fact(
    visibleText(url),
    enabled ? "enabled " : "disabled ",
    end(session, `the webhook to ${visibleText(url)}`, `/v1/webhooks/${webhookId}`),
  );
}

function end({ credential, run }: PageSession, what: string, path: string): HTMLElement {
  const ending = button("End it", () => run(() => deleteAs(credential, path)), "link-button");
  ending.setAttribute("aria-label", `End it: ${what}`);
  return ending;
}

function lastUse(at: string | null): string {
  return at ? `last used ${momentText(at)}` : "not used yet";
}
