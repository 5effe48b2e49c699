import { randomUUID } from "node:crypto";
import { checkEventData } from "./event-payloads.ts";
import type { AgentEvent, EventSink } from "./events.ts";
import type { JobQueue } from "./jobs.ts";
import { sendDelivery } from "./webhook-jobs.ts";
import type { EventRecord, WebhookStore } from "./webhook-store.ts";

/** Holds values of private fields, which must rest nowhere: it is sent from memory, by `sendOnce`. */
export const UNSTORED_EVENT = "disclosure.fulfilled";

export interface WebhookEventsOptions<Transaction> {
  readonly store: WebhookStore<Transaction>;
  readonly queue: JobQueue<Transaction>;
  readonly clock: () => Date;
}

/**
 * Tells webhooks by writing the event, one delivery for each webhook that asked for it, and the job of each, all within the
 * transaction given.
 *
 * `emit` rejects with EventDataError for data that is not of the event's documented form, and so undoes the transaction.
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
      const at = clock();
      const record = eventRecord(event, checkEventData(event.event, event.data), at);
      if (!(await rows.insertEvent(record))) return;
      for (const webhook of await rows.subscribers(event.event, event)) {
        const delivery = newDelivery(webhook.id, at);
        await rows.insertDelivery(record.id, delivery);
        await sendDelivery(queue, transaction, delivery);
      }
    },
  };
}

/** One agent's happening is one event: two agents may be told of the same under one key. */
export function eventRecord(event: AgentEvent, data: EventRecord["data"], at: Date): EventRecord {
  const whose = event.tokenId === null ? `registration ${event.registrationId}` : event.tokenId;
  return {
    id: randomUUID(),
    key: `${event.event} ${whose} ${event.key}`,
    event: event.event,
    data,
    occurredAt: at,
  };
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
