import { randomUUID } from "node:crypto";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import { checkEventData } from "./event-payloads.ts";
import type { AgentEvent, EventName, EventSink } from "./events.ts";
import { sendDelivery } from "./job-names.ts";
import type { EventRecord, WebhookRecord, WebhookRows, WebhookStore } from "./ports.ts";

/** Holds values of private fields, which are never stored: `sendOnce` sends it from memory. */
export const UNSTORED_EVENT = "disclosure.fulfilled";

export interface WebhookEventsOptions<Transaction> {
  readonly store: WebhookStore<Transaction>;
  readonly queue: JobQueue<Transaction>;
  readonly clock: () => Date;
}

/**
 * Notifies webhooks by writing the event, one delivery for each webhook that subscribed to it, and
 * the job of each, all within the given transaction.
 * `emit` rejects with EventDataError for data that breaks the event's schema, and so undoes the
 * transaction.
 */
export function createEventSink<Transaction>(
  options: WebhookEventsOptions<Transaction>,
): EventSink<Transaction> {
  const { store, queue, clock } = options;
  return {
    async emit(transaction, event) {
      if (event.event === UNSTORED_EVENT) {
        throw new Error(
          `${UNSTORED_EVENT} holds private values, and may only be sent from memory.`,
        );
      }
      const rows = store.within(transaction);
      await recordEvent(rows, queue, transaction, {
        event: event.event,
        key: eventKey(event),
        data: checkEventData(event.event, event.data),
        at: clock(),
        webhooks: await rows.subscribers(event.event, event),
      });
    },
  };
}

/**
 * Writes an event, unless its key is known, and a delivery for each webhook: pending and with its job for an enabled one, `missed`
 * for a disabled one.
 */
export async function recordEvent<Transaction>(
  rows: WebhookRows,
  queue: JobQueue<Transaction>,
  transaction: Transaction,
  recorded: {
    readonly event: EventName;
    readonly key: string;
    readonly data: EventRecord["data"];
    readonly at: Date;
    readonly webhooks: readonly WebhookRecord[];
  },
): Promise<void> {
  const { event, key, data, at, webhooks } = recorded;
  const id = randomUUID();
  if (!(await rows.insertEvent({ id, key, event, data, occurredAt: at }))) return;
  for (const webhook of webhooks) {
    const delivery = newDelivery(webhook.id, at);
    if (webhook.enabled) {
      await rows.insertDelivery(id, delivery);
      await sendDelivery(queue, transaction, delivery);
    } else {
      await rows.insertDelivery(id, { ...delivery, state: "missed" });
    }
  }
}

/** Event keys are unique per agent. */
export function eventKey(event: AgentEvent): string {
  const whose = event.tokenId === null ? `registration ${event.registrationId}` : event.tokenId;
  return `${event.event} ${whose} ${event.key}`;
}

/** A delivery that is due. */
export function newDelivery(webhookId: string, at: Date) {
  return {
    id: randomUUID(),
    webhookId,
    state: "pending" as const,
    failures: 0,
    sequence: 0,
    nextTryAt: at,
    lockedUntil: null,
    createdAt: at,
    deliveredAt: null,
  };
}
