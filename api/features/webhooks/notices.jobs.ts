import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobData, JobQueue } from "../../platform/jobs/ports.ts";
import type { Mailer } from "../../platform/mail/ports.ts";
import { checkEventData, type EventData } from "./event-payloads.ts";
import { recordEvents } from "./event-sink.store.ts";
import { type EventName, type SentEventName, TEST_EVENT } from "./events.ts";
import { DISABLE_AFTER, type EndedTry, NOTIFY_AFTER, streakAfter } from "./failures.ts";
import { WEBHOOK_JOBS } from "./job-names.ts";
import type { TryError, WebhookRecord } from "./records.ts";
import type { WebhookRows, WebhookStore } from "./webhooks.store.ts";

// Failures of a webhook are counted. They notify its owner, and disable it in the end.

const MAIL_EVERY_MS = 24 * 60 * 60_000;

export interface Notifying {
  readonly store: WebhookStore;
  readonly queue: JobQueue;
  /** Null when the operator has not configured any. */
  readonly mailer: Mailer | null;
  readonly clock: () => Date;
}

type Notice = "webhook.failing" | "webhook.disabled";

/**
 * The consequences of a try for its webhook, which the caller has locked: one decision in the
 * transaction that records the try.
 * Failures of a notification count, but do not cause `webhook.failing`: two webhooks that refuse
 * notifications would otherwise notify each other for ever. Disabling cannot repeat by itself,
 * because only the owner enables a webhook again.
 * Resolves to the webhook as it is then.
 */
export async function afterTry(
  notifying: Notifying,
  tx: Transaction,
  own: WebhookRows,
  webhook: WebhookRecord,
  event: SentEventName,
  ended: EndedTry & { readonly statusCode: number | null; readonly error: TryError | null },
): Promise<WebhookRecord> {
  if (event === TEST_EVENT || !webhook.enabled) return webhook;
  const { streak, followUp } = streakAfter(webhook, ended);
  const { failingSince } = streak;
  const isUnchanged = failingSince === null && webhook.failingSince === null;
  if (isUnchanged) return webhook;
  const at = notifying.clock();
  const disabled = { enabled: false, disabledReason: "failures", disabledAt: at } as const;
  const changes = followUp === "disable" ? { ...streak, ...disabled } : streak;
  const current: WebhookRecord = { ...webhook, ...changes };
  await own.updateWebhook(webhook.id, changes);
  if (followUp === null || failingSince === null) return current;
  if (followUp === "notify" && isNotice(event)) return current;
  const data = {
    webhookId: webhook.id,
    tokenId: webhook.tokenId === null ? null : Number(webhook.tokenId),
    failingSince: failingSince.toISOString(),
    lastStatusCode: ended.statusCode,
    lastError: ended.error,
  };
  if (followUp === "notify") {
    const failing = { ...data, failedTries: NOTIFY_AFTER };
    await notify(notifying, tx, own, current, "webhook.failing", failing);
  } else {
    const ending = { ...data, failedTries: DISABLE_AFTER, disabledAt: at.toISOString() };
    await notify(notifying, tx, own, current, "webhook.disabled", ending);
  }
  return current;
}

async function notify(
  { queue, mailer, clock }: Notifying,
  tx: Transaction,
  own: WebhookRows,
  webhook: WebhookRecord,
  event: Notice,
  data: EventData<Notice>,
): Promise<void> {
  const notice = {
    event,
    // One streak of one webhook is one event.
    key: `${event} ${webhook.id} ${webhook.failingSince?.getTime()}`,
    data: checkEventData(event, data),
    at: clock(),
    webhooks: await own.neighbours(event, webhook),
  };
  await recordEvents(own, queue, tx, [notice]);
  if (mailer === null || webhook.mailConfirmedAt === null) return;
  await queue.send(
    tx,
    WEBHOOK_JOBS.tellOwner,
    { webhookId: webhook.id, event },
    { singletonKey: `${webhook.id}:${event}` },
  );
}

/** Notifies the owner of `{webhookId}` about `{event}` by mail, if it still applies. */
export async function mailOwner(
  { store, mailer, clock }: Notifying,
  { webhookId: id, event }: JobData,
): Promise<void> {
  const webhookId = String(id);
  const webhook = await store.rows.findWebhook(webhookId);
  if (mailer === null || webhook === null || webhook.notifyEmail === null) return;
  if (webhook.mailConfirmedAt === null) return;
  const isWarning = event === "webhook.failing";
  const since = isWarning ? webhook.failingSince : webhook.disabledAt;
  if (since === null || webhook.enabled !== isWarning) return;
  const at = clock();
  const before = isWarning ? webhook.warnedAt : webhook.mailedAt;
  // Enabling it repeatedly must not fill a mailbox that may belong to a stranger.
  if (before !== null && at.getTime() - before.getTime() < MAIL_EVERY_MS) return;
  const { host } = new URL(webhook.url);
  const text = isWarning ? warning(webhookId, host, since) : disabling(webhookId, host, since);
  await mailer.send({
    to: webhook.notifyEmail,
    subject: `Webhook to ${host} ${isWarning ? "failing" : "disabled"}`,
    text: text.join("\n\n"),
    id: `${webhookId}.${isWarning ? "failing." : ""}${since.getTime()}`,
  });
  await store.rows.updateWebhook(webhookId, isWarning ? { warnedAt: at } : { mailedAt: at });
}

function isNotice(event: SentEventName): event is Notice & EventName {
  return event === "webhook.failing" || event === "webhook.disabled";
}

function warning(webhookId: string, host: string, since: Date): readonly string[] {
  return [
    `The webhook ${webhookId} to ${host} has failed ${NOTIFY_AFTER} times in a row since ${since.toISOString()}. It is retried, and disabled after more failures.`,
    `Its deliveries show the reason: GET /v1/webhooks/${webhookId}/deliveries`,
  ];
}

function disabling(webhookId: string, host: string, disabledAt: Date): readonly string[] {
  return [
    `The webhook ${webhookId} to ${host} was disabled at ${disabledAt.toISOString()}: its last ${DISABLE_AFTER} tries failed.`,
    `Its deliveries show the reason: GET /v1/webhooks/${webhookId}/deliveries`,
    `To continue: PATCH /v1/webhooks/${webhookId} with {"enabled": true} sends the pending deliveries. POST /v1/webhooks/${webhookId}/recover sends the failed ones, and the events since it was disabled. Events are stored for 30 days.`,
  ];
}
