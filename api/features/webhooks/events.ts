import type { Transaction } from "../../platform/database/transaction.ts";

/** Every event that an agent's webhooks can receive. */
export const EVENT_NAMES = [
  "owner.claimed",
  "binding.created",
  "binding.revoked",
  "alignment.changed",
  "freshness.requested",
  "chronicle.recorded",
  "embodiment.updated",
  "passport.transferred",
  "soul.resealed",
  "soul.burned",
  "disclosure.requested",
  "disclosure.fulfilled",
  "disclosure.expired",
  "disclosure.revoked",
  "audit.requested",
  "webhook.failing",
  "webhook.disabled",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** Sent on request to one webhook, to test it. It is tried once and cannot be subscribed to. */
export const TEST_EVENT = "webhook.test";

/** Holds values of private fields, which are never stored: `sendOnce` sends it from memory. */
export const UNSTORED_EVENT = "disclosure.fulfilled";

/** The events that a delivery can have. */
export type SentEventName = EventName | typeof TEST_EVENT;

/** An event of an agent. Times, hashes and ids as they appear in the delivered JSON. */
export interface AgentEvent {
  readonly event: EventName;
  /** The agent whose webhooks are notified; null for a registration before its claim. */
  readonly tokenId: bigint | null;
  readonly registrationId: string | null;
  /** Identifies this event: emitting it twice notifies the webhooks once. */
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Notifies an agent's webhooks, from within the transaction of the event's cause. */
export interface EventSink {
  emit(transaction: Transaction, event: AgentEvent): Promise<void>;
}

/** As {@link EventSink}, for causes with many events. */
export interface BatchEventSink extends EventSink {
  /** Takes the same few statements for any number of events. */
  emitAll(transaction: Transaction, events: readonly AgentEvent[]): Promise<void>;
  /**
   * Those of these agents with a webhook that subscribed to the event, disabled ones too. A cause that
   * never repeats may leave out the events of the rest.
   */
  receivers(
    transaction: Transaction,
    event: EventName,
    tokenIds: readonly bigint[],
  ): Promise<ReadonlySet<bigint>>;
}

/** How an event ended that was sent from memory. */
export interface SentOnce {
  /** Webhooks that accepted it. */
  readonly accepted: number;
  /** A sentence about why no webhook accepted it; null when one did. */
  readonly problem: string | null;
}
