import { randomUUID } from "node:crypto";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import { checkEventData } from "./event-payloads.ts";
import type { AgentEvent, BatchEventSink, EventName } from "./events.ts";
import { UNSTORED_EVENT } from "./events.ts";
import { sendDeliveries } from "./job-names.ts";
import { type EventRecord, newDelivery, type WebhookRecord } from "./records.ts";
import type { WebhookRows, WebhookStore } from "./webhooks.store.ts";

/**
 * Notifies webhooks by writing the event, one delivery for each webhook that subscribed to it, and
 * the job of each, all within the given transaction.
 * `emit` rejects with EventDataError for data that breaks the event's schema, and so undoes the
 * transaction.
 */
export function createEventSink({
  store,
  queue,
  clock,
}: {
  readonly store: WebhookStore;
  readonly queue: JobQueue;
  readonly clock: () => Date;
}): BatchEventSink {
  async function emitAll(transaction: Transaction, events: readonly AgentEvent[]): Promise<void> {
    if (events.length === 0) return;
    if (events.some(({ event }) => event === UNSTORED_EVENT)) {
      throw new Error(`${UNSTORED_EVENT} holds private values, and may only be sent from memory.`);
    }
    const rows = store.within(transaction);
    const at = clock();
    const checked = events.map((event) => ({
      event: event.event,
      key: eventKey(event),
      data: checkEventData(event.event, event.data),
      at,
    }));
    const webhooks = await rows.subscribers(events);
    await recordEvents(
      rows,
      queue,
      transaction,
      checked.map((event, index) => ({ ...event, webhooks: webhooks[index] ?? [] })),
    );
  }

  return {
    emit: (transaction, event) => emitAll(transaction, [event]),
    emitAll,
    receivers: (transaction, event, tokenIds) =>
      store.within(transaction).receivers(event, tokenIds),
  };
}

/** An event and the webhooks that receive it. */
interface RecordedEvent {
  readonly event: EventName;
  readonly key: string;
  readonly data: EventRecord["data"];
  readonly at: Date;
  readonly webhooks: readonly WebhookRecord[];
}

/**
 * Writes the events whose keys are new, and a delivery for each of their webhooks: pending and with
 * its job for an enabled one, `missed` for a disabled one.
 */
export async function recordEvents(
  rows: WebhookRows,
  queue: JobQueue,
  transaction: Transaction,
  recorded: readonly RecordedEvent[],
): Promise<void> {
  const events = recorded.map(({ at, webhooks, ...event }) => ({
    record: { ...event, id: randomUUID(), occurredAt: at },
    webhooks,
  }));
  const added = await rows.insertEvents(events.map(({ record }) => record));
  const deliveries = events
    .filter(({ record }) => added.has(record.id))
    .flatMap(({ record, webhooks }) =>
      webhooks.map((webhook) => ({
        ...newDelivery(webhook.id, record.occurredAt),
        eventId: record.id,
        state: webhook.enabled ? ("pending" as const) : ("missed" as const),
      })),
    );
  await rows.insertDeliveries(deliveries);
  await sendDeliveries(
    queue,
    transaction,
    deliveries.filter(({ state }) => state === "pending"),
  );
}

/** Event keys are unique per agent. */
export function eventKey(event: AgentEvent): string {
  const whose = event.tokenId === null ? `registration ${event.registrationId}` : event.tokenId;
  return `${event.event} ${whose} ${event.key}`;
}
