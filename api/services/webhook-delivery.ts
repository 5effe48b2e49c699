import { randomUUID } from "node:crypto";
import { WEBHOOK_HEADERS, webhookSignature } from "../../protocol/webhook-signature.ts";
import { checkEventData } from "./event-payloads.ts";
import type { AgentEvent } from "./events.ts";
import type { ProfileReads } from "./index-reads.ts";
import type { JobHandler, JobQueue } from "./jobs.ts";
import type { OutboundHttp } from "./outbound.ts";
import { OutboundError } from "./outbound.ts";
import { eventRecord, newDelivery, UNSTORED_EVENT } from "./webhook-events.ts";
import { sendDelivery, WEBHOOK_JOBS } from "./webhook-jobs.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";
import type {
  EventRecord,
  OpenDelivery,
  SentEventName,
  TryError,
  TryOutcome,
  TryRecord,
  WebhookRecord,
  WebhookStore,
} from "./webhook-store.ts";
import { TEST_EVENT } from "./webhook-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Wait before each try after the first. When the last one fails too, the webhook is disabled. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  12 * HOUR_MS,
];

/** Longer than the longest request: a try that has not ended by then died with its process. */
export const LEASE_MS = 30_000;

/** A job this late was lost, or its process died and nobody has noticed yet. */
const OVERDUE_MS = MINUTE_MS;
const PAUSED_KEPT_MS = 7 * DAY_MS;
const HISTORY_KEPT_MS = 30 * DAY_MS;
const MAIL_EVERY_MS = DAY_MS;
const SWEEP_LIMIT = 500;

/**
 * They announce that an owner's authority ends, so they are sent although it has: to the webhooks that end with it. Everything in
 * them is on chain.
 */
const FAREWELLS: ReadonlySet<SentEventName> = new Set(["passport.transferred", "soul.resealed"]);

/** Sends mail to owners. */
export interface Mailer {
  send(mail: {
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    /** Names this mail: sent twice, it is the same one. */
    readonly id: string;
  }): Promise<void>;
}

export interface WebhookDeliveryOptions<Transaction> {
  readonly store: WebhookStore<Transaction>;
  readonly queue: JobQueue<Transaction>;
  readonly http: OutboundHttp;
  readonly secrets: WebhookSecrets;
  readonly agents: Pick<ProfileReads, "profileByTokenId">;
  /** Null when the operator has not configured any. */
  readonly mailer: Mailer | null;
  readonly clock: () => Date;
  /** Told how each try ended. */
  readonly observe?: (outcome: TryError | "delivered") => void;
}

/** What the queue runs for webhooks. */
export interface WebhookDelivery {
  /** By the names of `WEBHOOK_JOBS`. Each may run twice, at once or after a crash. */
  readonly handlers: Readonly<Record<(typeof WEBHOOK_JOBS)[keyof typeof WEBHOOK_JOBS], JobHandler>>;
  /**
   * Sends an event with private values, once, from memory. Nothing of its data is stored, and nothing is sent again.
   *
   * @returns how many webhooks took it; 0 too when it was sent before under its key.
   * @throws EventDataError
   */
  sendOnce(event: AgentEvent): Promise<number>;
}

/** Delivers events: at least once, under one id each, one try at a time. */
export function createWebhookDelivery<Transaction>(
  options: WebhookDeliveryOptions<Transaction>,
): WebhookDelivery {
  const { store, queue, http, secrets, agents, mailer, clock } = options;
  const { rows } = store;

  async function deliver(deliveryId: string, signal: AbortSignal): Promise<void> {
    const open = await rows.findDelivery(deliveryId);
    if (open?.delivery.state !== "pending") return;
    const at = clock();
    if (open.delivery.nextTryAt > at) return sendAgain(open, open.delivery.nextTryAt);

    const verdict = await mayBeSent(open.webhook, open.event.event);
    if (verdict !== "send") {
      return rows.setAside(deliveryId, verdict === "pause" ? "paused" : "cancelled", at);
    }
    const leaseId = randomUUID();
    const until = new Date(at.getTime() + LEASE_MS);
    if (!(await rows.claimDelivery(deliveryId, { leaseId, at, until }))) {
      // Another worker tries it now. Should it die meanwhile, this job is the one that goes on.
      const { delivery } = (await rows.findDelivery(deliveryId)) ?? open;
      if (delivery.state === "pending") await sendAgain(open, delivery.lockedUntil ?? until);
      return;
    }
    let tried: Tried;
    try {
      tried = await tryOnce(open, signal);
    } catch (error) {
      // Not the receiver's fault, and no try of its budget.
      await rows.releaseDelivery(deliveryId, leaseId);
      throw error;
    }
    await settle(open, leaseId, tried);
  }

  /** The same job, later: this one was early. */
  async function sendAgain({ delivery }: OpenDelivery, nextTryAt: Date): Promise<void> {
    await store.transaction((tx) => sendDelivery(queue, tx, { ...delivery, nextTryAt }));
  }

  type Tried = Omit<TryRecord, "number">;

  /** @throws the signal's reason when the process stops; LostWebhookSecretError. */
  async function tryOnce(
    {
      delivery,
      event,
      webhook,
    }: Pick<OpenDelivery, "event" | "webhook"> & {
      readonly delivery: { readonly id: string };
    },
    signal?: AbortSignal,
  ): Promise<Tried> {
    const startedAt = clock();
    const body = JSON.stringify({
      event: event.event,
      timestamp: event.occurredAt.toISOString(),
      deliveryId: delivery.id,
      data: event.data,
    });
    const headers = signedHeaders(webhook, delivery.id, body, startedAt);
    const before = performance.now();
    const ended = (statusCode: number | null, error: Tried["error"]): Tried => {
      options.observe?.(error ?? "delivered");
      const durationMs = Math.round(performance.now() - before);
      return { startedAt, durationMs, statusCode, error };
    };
    try {
      const { status } = await http.request({
        method: "POST",
        url: webhook.url,
        headers,
        body,
        maxResponseBytes: 0,
        ...(signal === undefined ? {} : { signal }),
      });
      return ended(status, status >= 200 && status < 300 ? null : "http_status");
    } catch (error) {
      if (error instanceof OutboundError) return ended(error.status, error.reason);
      throw error;
    }
  }

  function signedHeaders(webhook: WebhookRecord, deliveryId: string, body: string, at: Date) {
    const { current, previous } = secrets.signingWith(webhook, at);
    const signed = {
      timestamp: String(Math.floor(at.getTime() / 1000)),
      nonce: randomUUID(),
      rawBody: Buffer.from(body, "utf8"),
    };
    return {
      "Content-Type": "application/json",
      [WEBHOOK_HEADERS.signature]: webhookSignature({ ...signed, secret: current }),
      ...(previous === null
        ? {}
        : {
            [WEBHOOK_HEADERS.previousSignature]: webhookSignature({ ...signed, secret: previous }),
          }),
      [WEBHOOK_HEADERS.timestamp]: signed.timestamp,
      [WEBHOOK_HEADERS.nonce]: signed.nonce,
      [WEBHOOK_HEADERS.delivery]: deliveryId,
    };
  }

  /** The try, what follows from it and the job of that, together. */
  async function settle(open: OpenDelivery, leaseId: string, tried: Tried): Promise<void> {
    const { delivery, event, webhook } = open;
    const at = clock();
    const outcome = outcomeOf(open, tried, at);
    await store.transaction(async (tx, own) => {
      // Too late: somebody else has the delivery, and will try it again under the same id.
      if (!(await own.settleTry(delivery.id, leaseId, tried, outcome))) return;
      if (outcome.state === "pending") {
        await sendDelivery(queue, tx, { ...outcome, id: delivery.id });
      }
      if (outcome.state !== "failed" || event.event === TEST_EVENT) return;
      const disabled = await own.disableFailing(webhook.id, at);
      if (disabled && mailer !== null && webhook.notifyEmail !== null) {
        const data = { webhookId: webhook.id };
        await queue.send(tx, WEBHOOK_JOBS.tellOwner, data, { singletonKey: webhook.id });
      }
    });
  }

  /** Whether an event may go to a webhook now, as the index knows its agent. */
  async function mayBeSent(
    webhook: WebhookRecord,
    event: SentEventName,
  ): Promise<"send" | "pause" | "cancel"> {
    if (!webhook.enabled && event !== TEST_EVENT) return "pause";
    if (FAREWELLS.has(event)) return "send";
    if (webhook.endedAt !== null) return "cancel";
    if (webhook.tokenId === null || webhook.epoch === null) return "send";
    const { value: agent } = await agents.profileByTokenId(webhook.tokenId);
    // A claim's first event may come before the index has the agent.
    if (agent === null) return "send";
    const { soul, passport } = agent;
    if (soul.status === "BURNED" || BigInt(soul.epoch) > webhook.epoch) return "cancel";
    return passport !== null && passport.owner === soul.sealer ? "send" : "pause";
  }

  async function tellOwner(webhookId: string): Promise<void> {
    const webhook = await rows.findWebhook(webhookId);
    if (mailer === null || webhook === null || webhook.notifyEmail === null) return;
    const { disabledAt, mailedAt, url } = webhook;
    if (webhook.enabled || disabledAt === null) return;
    const at = clock();
    // Enabling it again and again must not fill a mailbox that may be somebody else's.
    if (mailedAt !== null && at.getTime() - mailedAt.getTime() < MAIL_EVERY_MS) return;
    const { host } = new URL(url);
    await mailer.send({
      to: webhook.notifyEmail,
      subject: `Webhook to ${host} disabled`,
      text: [
        `The webhook ${webhookId} to ${host} was disabled at ${disabledAt.toISOString()}: a delivery and its ${RETRY_DELAYS_MS.length} retries failed.`,
        `Its deliveries tell why: GET /v1/webhooks/${webhookId}/deliveries`,
        `To go on: PATCH /v1/webhooks/${webhookId} with {"enabled": true}. What was waiting is sent then; what failed can be sent again.`,
      ].join("\n\n"),
      id: `${webhookId}.${disabledAt.getTime()}`,
    });
    await rows.updateWebhook(webhookId, { mailedAt: at });
  }

  async function sweep(): Promise<void> {
    const at = clock();
    const ago = (ms: number) => new Date(at.getTime() - ms);
    for (const overdue of await rows.overdue(ago(OVERDUE_MS), at, SWEEP_LIMIT)) {
      await store.transaction((tx) => sendDelivery(queue, tx, overdue));
    }
    await rows.cancelPaused(ago(PAUSED_KEPT_MS));
    for (const { delivery, event, webhook } of await rows.paused(SWEEP_LIMIT)) {
      const verdict = await mayBeSent(webhook, event.event);
      if (verdict === "cancel") await rows.setAside(delivery.id, "cancelled", at);
      else if (verdict === "pause") await rows.touchPaused(delivery.id, at);
      else {
        await store.transaction(async (tx, own) => {
          for (const revived of await own.revive({ pausedDelivery: delivery.id }, at)) {
            await sendDelivery(queue, tx, revived);
          }
        });
      }
    }
    await rows.forget(ago(HISTORY_KEPT_MS));
  }

  return {
    handlers: {
      [WEBHOOK_JOBS.deliver]: (data, signal) => deliver(String(data.deliveryId), signal),
      [WEBHOOK_JOBS.tellOwner]: (data) => tellOwner(String(data.webhookId)),
      [WEBHOOK_JOBS.sweep]: () => sweep(),
    },

    async sendOnce(event) {
      const at = clock();
      const data = checkEventData(event.event, event.data);
      const record: EventRecord = eventRecord(event, null, at);
      // Kept without its data: that it happened, and how each try ended.
      if (!(await rows.insertEvent(record))) return 0;
      let taken = 0;
      for (const webhook of await rows.subscribers(event.event, event)) {
        if ((await mayBeSent(webhook, event.event)) !== "send") continue;
        const delivery = newDelivery(webhook.id, at);
        const tried = await tryOnce({ delivery, event: { ...record, data }, webhook });
        const succeeded = tried.error === null;
        if (succeeded) taken += 1;
        await store.transaction(async (_tx, own) => {
          await own.insertDelivery(record.id, {
            ...delivery,
            state: succeeded ? "delivered" : "failed",
            failures: succeeded ? 0 : 1,
            deliveredAt: succeeded ? clock() : null,
          });
          await own.insertTry(delivery.id, { ...tried, number: 1 });
        });
      }
      return taken;
    },
  };
}

/** What becomes of a delivery after a try. */
function outcomeOf(
  { delivery, event }: OpenDelivery,
  tried: Omit<TryRecord, "number">,
  at: Date,
): TryOutcome {
  const { sequence, nextTryAt } = delivery;
  if (tried.error === null) {
    return { state: "delivered", failures: 0, sequence, nextTryAt, deliveredAt: at };
  }
  const failures = delivery.failures + 1;
  const delays =
    event.event === TEST_EVENT || event.event === UNSTORED_EVENT ? [] : RETRY_DELAYS_MS;
  const wait = delays[failures - 1];
  if (wait === undefined) {
    return { state: "failed", failures, sequence, nextTryAt, deliveredAt: null };
  }
  return {
    state: "pending",
    failures,
    sequence: sequence + 1,
    nextTryAt: new Date(at.getTime() + wait),
    deliveredAt: null,
  };
}
