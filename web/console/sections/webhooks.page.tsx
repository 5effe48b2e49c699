import {
  EVENT_NAMES,
  type ListedDelivery,
  type WebhookRecord,
  type WebhookService,
} from "../../../api/features/webhooks/index.ts";
import { ActionArea } from "../../owner/components.tsx";
import type { CallAction } from "../../owner/data.ts";
import {
  Badge,
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  type Tone,
} from "../../ui/components.tsx";
import { Checkbox, Choice, TextField } from "../../ui/fields.tsx";
import { visibleText } from "../../ui/text.ts";
import type { Section, SectionContext } from "../sections.page.ts";

const DELIVERIES = 25;
const HOUR_MS = 3_600_000;

/** Where an agent's events are sent. With the id of a webhook also its deliveries. */
export async function webhooksSection(
  {
    webhooks,
  }: {
    readonly webhooks: WebhookService;
  },
  context: SectionContext,
): Promise<Section> {
  const { soul, tokenId, caller, webhookId } = context;
  const listed = (await webhooks.list(caller, soul.tokenId)).filter(
    ({ endedAt }) => endedAt === null,
  );
  const chosen = listed.find(({ id }) => id === webhookId) ?? null;
  if (chosen === null) {
    return {
      lead: "Addresses to which the service posts what happens to the agent.",
      asksWallet: false,
      actions: [createAction(tokenId)],
      body: (
        <>
          <ListCard webhooks={listed} tokenId={tokenId} />
          <CreateCard />
        </>
      ),
    };
  }
  const { entries } = await webhooks.deliveries(caller, chosen.id, { limit: DELIVERIES });
  const resends = entries.filter(({ delivery }) => delivery.state !== "pending");
  return {
    lead: "One webhook: its state, its secret, and what was sent.",
    asksWallet: false,
    actions: [...webhookActions(chosen), ...resends.map((one) => resendAction(chosen.id, one))],
    body: (
      <>
        <WebhookCard webhook={chosen} tokenId={tokenId} now={context.now} />
        <DeliveriesCard deliveries={entries} resends={resends} />
      </>
    ),
  };
}

const SECRET = {
  field: "secret",
  title: "The webhook's secret",
  note: "The receiver checks signatures with it. The service does not show it again.",
};

function createAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "create",
    label: "Create the webhook",
    form: "create-form",
    confirm: null,
    request: { method: "POST", path: "/v1/webhooks", body: { tokenId } },
    secret: SECRET,
    done: "The webhook is created, and enabled.",
  };
}

/** What can be done with one webhook. */
function webhookActions({ id, enabled, url }: WebhookRecord): CallAction[] {
  const path = `/v1/webhooks/${id}`;
  const call = (
    name: string,
    label: string,
    request: CallAction["request"],
    done: string,
  ): CallAction => ({
    kind: "call",
    id: name,
    label,
    look: "button secondary",
    form: null,
    confirm: null,
    request,
    done,
  });
  const rotate = call(
    "rotate-secret",
    "Rotate the secret",
    { method: "POST", path: `${path}/rotate`, body: {} },
    "The webhook has a new secret. For a day, deliveries are signed with the former one, too.",
  );
  const recover = call(
    "recover",
    "Send what was missed",
    { method: "POST", path: `${path}/recover`, body: {} },
    "{enqueued} events are sent again; {remaining} remain.",
  );
  return [
    enabled
      ? call(
          "toggle",
          "Disable it",
          { method: "PATCH", path, body: { enabled: false } },
          "The webhook is disabled.",
        )
      : call(
          "toggle",
          "Enable it",
          { method: "PATCH", path, body: { enabled: true } },
          "The webhook is enabled.",
        ),
    call(
      "test",
      "Send a test",
      { method: "POST", path: `${path}/test`, body: null },
      "A test event was sent. Its delivery is listed below.",
    ),
    { ...rotate, secret: SECRET },
    ...(enabled ? [{ ...recover, form: "recover-form" }] : []),
    {
      ...call(
        "delete",
        "Delete it",
        { method: "DELETE", path, body: null },
        `The webhook to ${visibleText(url)} is deleted.`,
      ),
      form: "delete-form",
      confirm: { field: "confirmation", text: "delete" },
    },
  ];
}

function resendAction(webhookId: string, { delivery, event }: ListedDelivery): CallAction {
  return {
    kind: "call",
    id: `resend-${delivery.id}`,
    label: "Send it again",
    about: `${event} of ${delivery.createdAt.toISOString()}`,
    look: "link-button",
    form: null,
    confirm: null,
    request: {
      method: "POST",
      path: `/v1/webhooks/${webhookId}/deliveries/${delivery.id}/resend`,
      body: null,
    },
    done: `${event} is sent again.`,
  };
}

function StateBadge({ webhook: { enabled, disabledReason, failingSince } }: WebhookProps) {
  if (!enabled) {
    return (
      <Badge tone="bad">
        {disabledReason === "failures" ? "Disabled by failures" : "Disabled"}
      </Badge>
    );
  }
  return failingSince === null ? (
    <Badge tone="good">Enabled</Badge>
  ) : (
    <Badge tone="caution">Failing</Badge>
  );
}

interface WebhookProps {
  readonly webhook: WebhookRecord;
}

function ListCard({ webhooks, tokenId }: { webhooks: readonly WebhookRecord[]; tokenId: number }) {
  return (
    <Card id="webhooks" title={`Webhooks: ${webhooks.length}`}>
      {webhooks.length === 0 ? (
        <p>None yet. Create one below, and the service posts what you choose to your server.</p>
      ) : (
        <DescriptionList>
          {webhooks.map((webhook) => (
            <DescriptionItem name={<StateBadge webhook={webhook} />}>
              <a href={`/console/${tokenId}/webhooks?webhook=${webhook.id}`}>
                {visibleText(webhook.url)}
              </a>
              <p class="muted">{webhook.events.join(", ")}</p>
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
    </Card>
  );
}

function CreateCard() {
  return (
    <Card id="creating" title="A new webhook">
      <ActionArea id="create">
        <TextField
          name="url"
          label="Address"
          hint="https, on a public server. It is checked now and at every delivery."
        />
        <fieldset class="console-choices">
          <legend>Events</legend>
          {EVENT_NAMES.map((name) => (
            <Checkbox
              name={name}
              label={name}
              checked={name === "passport.transferred" || name === "webhook.failing"}
              list="events"
            />
          ))}
        </fieldset>
        <TextField
          name="notifyEmail"
          label="Mail address"
          hint="Optional. The service writes to it when failures disable the webhook, where it can send mail."
          reads="optional"
        />
      </ActionArea>
    </Card>
  );
}

function WebhookCard({ webhook, tokenId, now }: WebhookProps & { tokenId: number; now: Date }) {
  const { url, events, notifyEmail, createdAt, enabled, failingSince, disabledAt } = webhook;
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
  const ranges = [
    { value: ago(1), label: "of the last hour" },
    { value: ago(24), label: "of the last day" },
    { value: ago(7 * 24), label: "of the last week" },
    // The oldest that is stored is a moment younger by the time it is asked for.
    { value: ago(30 * 24 - 1), label: "of the last 30 days" },
  ];
  return (
    <Card id="webhook" title={visibleText(url)}>
      <p>
        <a href={`/console/${tokenId}/webhooks`}>All webhooks</a>
      </p>
      {failingSince === null ? null : (
        <Notice tone="caution" title="Its last deliveries failed">
          <p>
            Since <DateTime at={failingSince} />. See the tries below.
          </p>
        </Notice>
      )}
      <DescriptionList>
        <DescriptionItem name="State">
          <StateBadge webhook={webhook} />{" "}
          {disabledAt === null ? null : (
            <>
              since <DateTime at={disabledAt} />
            </>
          )}
        </DescriptionItem>
        <DescriptionItem name="Events">{events.join(", ")}</DescriptionItem>
        <DescriptionItem name="Mail">{notifyEmail ?? "none"}</DescriptionItem>
        <DescriptionItem name="Created">
          <DateTime at={createdAt} />
        </DescriptionItem>
      </DescriptionList>
      <div class="console-row">
        <ActionArea id="toggle" />
        <ActionArea id="test" />
        <ActionArea id="rotate-secret" />
      </div>
      {enabled ? (
        <>
          <h3>Send what was missed</h3>
          <ActionArea id="recover">
            <Choice name="since" label="Undelivered events" options={ranges} />
          </ActionArea>
        </>
      ) : null}
      <h3>Delete it</h3>
      <ActionArea id="delete">
        <TextField
          name="confirmation"
          label="Type delete to confirm"
          hint="Pending deliveries are deleted with it."
          reads="own"
        />
      </ActionArea>
    </Card>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  delivered: "good",
  pending: "info",
  failed: "bad",
  missed: "caution",
  paused: "caution",
  cancelled: "bad",
};

function DeliveriesCard({
  deliveries,
  resends,
}: {
  deliveries: readonly ListedDelivery[];
  resends: readonly ListedDelivery[];
}) {
  return (
    <Card id="deliveries" title="Deliveries">
      {deliveries.length === 0 ? (
        <p class="muted">Nothing was sent yet. Send a test to see one.</p>
      ) : (
        <DescriptionList>
          {deliveries.map((one) => (
            <DescriptionItem name={one.event}>
              <Badge tone={TONES[one.delivery.state] ?? "info"}>{one.delivery.state}</Badge>{" "}
              <DateTime at={one.delivery.createdAt} />
              <Tries tries={one.tries} />
              {resends.includes(one) ? <ActionArea id={`resend-${one.delivery.id}`} /> : null}
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
    </Card>
  );
}

function Tries({ tries }: Pick<ListedDelivery, "tries">) {
  if (tries.length === 0) return null;
  return (
    <ul>
      {tries.map(({ number, durationMs, statusCode, error }) => (
        <li>
          Try {number}: {statusCode === null ? null : <Code>{String(statusCode)}</Code>}{" "}
          {error === null ? "taken" : error.replaceAll("_", " ")}, after {durationMs} ms
        </li>
      ))}
    </ul>
  );
}
