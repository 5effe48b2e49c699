import type { AgentKeys, ListedKey } from "../../../api/features/keys/index.ts";
import type { ListedSession, OwnerSessions } from "../../../api/features/sign-in/index.ts";
import { ActionArea } from "../../owner/components.tsx";
import type { CallAction } from "../../owner/data.ts";
import { emergencyStop } from "../../owner/emergency-stop.ts";
import { Card, Code, DateTime, DescriptionItem, DescriptionList } from "../../ui/components.tsx";
import { Choice } from "../../ui/fields.tsx";
import { visibleText } from "../../ui/text.ts";
import type { Section, SectionContext } from "../sections.page.ts";

const SHOWN = 100;

/** Who can act for an agent, and how each of it ends. */
export async function keysSection(
  {
    agentKeys,
    ownerSessions,
  }: {
    readonly agentKeys: AgentKeys;
    readonly ownerSessions: OwnerSessions;
  },
  { soul, tokenId, caller, now }: SectionContext,
): Promise<Section> {
  const page = { limit: SHOWN };
  const [listed, sessions] = await Promise.all([
    agentKeys.list(soul.tokenId, page),
    ownerSessions.list(soul.tokenId, page),
  ]);
  const keys = listed.entries.filter(({ revokedAt }) => revokedAt === null || revokedAt > now);
  const others = sessions.entries.filter(({ id }) => id !== caller.sessionId);
  const stop = emergencyStop({
    tokenId,
    name: soul.name,
    owner: soul.owner,
    page: `/console/${tokenId}/keys`,
  });
  return {
    lead: "Who can act for the agent, and who is signed in as its owner.",
    asksWallet: true,
    actions: [
      rotateAction(tokenId),
      ...keys.map(endKeyAction),
      ...others.map(endSessionAction),
      stopAction(tokenId),
      stop,
    ],
    body: (
      <>
        <KeysCard keys={keys} name={soul.name} hasMore={listed.next !== null} />
        <SessionsCard
          sessions={sessions.entries}
          current={caller.sessionId}
          hasMore={sessions.next !== null}
        />
        <StopCard />
      </>
    ),
  };
}

function rotateAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "rotate",
    label: "Make a new key, and end all others",
    form: "rotate-form",
    confirm: null,
    request: { method: "POST", path: "/v1/keys/rotate", body: { tokenId } },
    secret: {
      field: "apiKey",
      title: "The agent's new key",
      note: "Its holder acts for the agent. The service keeps no copy.",
    },
    done: "The new key works. The former keys end on {previousKeysValidUntil}.",
  };
}

function endKeyAction({ id, hint }: ListedKey): CallAction {
  return {
    kind: "call",
    id: `key-${id}`,
    label: "End it",
    about: `the key ${hint}`,
    look: "link-button",
    form: null,
    confirm: null,
    request: { method: "DELETE", path: `/v1/keys/${id}`, body: null },
    done: `The key ${hint} has ended.`,
  };
}

function endSessionAction({ id, audience }: ListedSession): CallAction {
  const where = visibleText(audience);
  return {
    kind: "call",
    id: `session-${id}`,
    label: "End it",
    about: `the session at ${where}`,
    look: "link-button",
    form: null,
    confirm: null,
    request: { method: "DELETE", path: `/v1/sessions/${id}`, body: null },
    done: `The session at ${where} has ended.`,
  };
}

/** By the sign-in alone: at once, and without the allowance. */
function stopAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "stop-now",
    label: "End keys, sessions and webhooks now",
    look: "button danger",
    form: null,
    confirm: null,
    request: { method: "POST", path: `/v1/emergency-stop/${tokenId}`, body: { tokenId } },
    done: "All keys, sessions and webhooks of the agent have ended, this sign-in too. An active allowance still needs your signature to end.",
  };
}

function KeysCard({
  keys,
  name,
  hasMore,
}: {
  keys: readonly ListedKey[];
  name: string;
  hasMore: boolean;
}) {
  return (
    <Card id="keys" title={`API keys: ${keys.length}`}>
      {keys.length === 0 ? (
        <p>No key acts for {name}. Make one below.</p>
      ) : (
        <DescriptionList>
          {keys.map(({ id, hint, kind, holder, createdAt, lastUsedAt, revokedAt }) => (
            <DescriptionItem name={<Code>{hint}</Code>}>
              {kind === "live" ? "Full" : "Provisional"} key of the {holder}, since{" "}
              <DateTime at={createdAt} />; {lastUse(lastUsedAt)}
              {revokedAt === null ? null : (
                <>
                  ; ends <DateTime at={revokedAt} />
                </>
              )}
              <ActionArea id={`key-${id}`} />
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
      {hasMore ? <p class="muted">There are more keys, which have ended or are older.</p> : null}
      <h3>A new key</h3>
      <p>
        It replaces every other key, the agent's own too. With a grace, those work for a while
        longer.
      </p>
      <ActionArea id="rotate">
        <Choice name="graceSeconds" label="The former keys end" options={GRACES} reads="number" />
      </ActionArea>
    </Card>
  );
}

const GRACES = [
  { value: "0", label: "at once" },
  { value: "3600", label: "after an hour" },
  { value: "86400", label: "after a day" },
  { value: "604800", label: "after a week" },
];

function lastUse(at: Date | null) {
  if (at === null) return "not used yet";
  return (
    <>
      last used <DateTime at={at} />
    </>
  );
}

function SessionsCard({
  sessions,
  current,
  hasMore,
}: {
  sessions: readonly ListedSession[];
  current: string;
  hasMore: boolean;
}) {
  return (
    <Card id="sessions" title={`Sessions: ${sessions.length}`}>
      <DescriptionList>
        {sessions.map(({ id, audience, passportId, scopes, expiresAt, lastUsedAt }) => (
          <DescriptionItem name={visibleText(audience)}>
            {passportId === null ? "the console" : scopes.join(", ")}; {lastUse(lastUsedAt)}; ends{" "}
            <DateTime at={expiresAt} />
            {id === current ? (
              <p class="muted">This browser</p>
            ) : (
              <ActionArea id={`session-${id}`} />
            )}
          </DescriptionItem>
        ))}
      </DescriptionList>
      {hasMore ? <p class="muted">There are more sessions than these.</p> : null}
    </Card>
  );
}

function StopCard() {
  return (
    <Card id="stopping" title="Emergency stop">
      <p>
        Ends every key, session and webhook of the agent at once, and signs you out. The soul stays
        valid.
      </p>
      <ActionArea id="stop-now" />
      <h3>With the allowance</h3>
      <p>One signature of your wallet ends the agent's allowance as well.</p>
      <ActionArea id="stop" />
    </Card>
  );
}
