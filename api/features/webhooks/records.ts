import { randomUUID } from "node:crypto";
import { OUTBOUND_REASONS, type OutboundReason } from "../../platform/outbound/ports.ts";
import type { EventName, SentEventName } from "./events.ts";
import type { FailureStreak } from "./failures.ts";

/** How long events and their deliveries are stored. */
export const EVENTS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** What a webhook is added with, beside its subject. */
export interface AddedWebhook {
  readonly id: string;
  /** Owner of the agent in this epoch, in lower case. Null before the claim. */
  readonly owner: string | null;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly notifyEmail: string | null;
  /** When the holder of that address agreed to notices. Null: none is sent. */
  readonly mailConfirmedAt: Date | null;
  readonly enabled: boolean;
  readonly secretVersion: number;
  /** Version of the master key that the secret is derived from. */
  readonly secretMaster: number;
  readonly secretHash: Buffer;
  readonly createdAt: Date;
}

export interface WebhookRecord extends AddedWebhook, FailureStreak {
  /** Null until the registration is claimed, exactly like `epoch`. */
  readonly tokenId: bigint | null;
  readonly registrationId: string | null;
  readonly epoch: number | null;
  readonly disabledReason: "owner" | "failures" | null;
  readonly disabledAt: Date | null;
  /** A reseal ended it. */
  readonly endedAt: Date | null;
  /**
   * When its owner was last notified by mail, about its disabling and about failures before that.
   */
  readonly mailedAt: Date | null;
  readonly warnedAt: Date | null;
  readonly previousMaster: number | null;
  readonly previousUntil: Date | null;
  readonly rotation: string | null;
}

export type WebhookChanges = Partial<Omit<WebhookRecord, "id" | "events">>;

export interface EventRecord {
  readonly id: string;
  readonly key: string;
  readonly event: SentEventName;
  /** Null when it held private values, and was sent from memory. */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly occurredAt: Date;
}

/**
 * - `pending`: a try is waiting or running.
 * - `delivered`: answered with 2xx.
 * - `failed`: every try of its budget failed.
 * - `paused`: it was pending when the webhook was disabled or the agent's passport moved.
 * - `missed`: the event happened while the webhook was disabled, or it was paused for too long:
 *   sent when it is recovered.
 * - `cancelled`: the webhook ended before it was sent, or the passport stayed away for too long.
 */
export const DELIVERY_STATES = [
  "pending",
  "delivered",
  "failed",
  "paused",
  "missed",
  "cancelled",
] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryRecord {
  readonly id: string;
  readonly webhookId: string;
  readonly state: DeliveryState;
  /** Failed tries in a row. */
  readonly failures: number;
  readonly sequence: number;
  readonly nextTryAt: Date;
  readonly lockedUntil: Date | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  /** The trace of the event's cause. */
  readonly traceparent: string | null;
}

/** A delivery that is written. Its trace is the one of the moment. */
export type NewDelivery = Omit<DeliveryRecord, "traceparent"> & { readonly eventId: string };

/** A delivery that is due at once. */
export const newDelivery = (webhookId: string, at: Date) =>
  ({
    id: randomUUID(),
    webhookId,
    state: "pending",
    failures: 0,
    sequence: 0,
    nextTryAt: at,
    lockedUntil: null,
    createdAt: at,
    deliveredAt: null,
  }) as const;

/** Why a try failed. Of the answer it holds only the status. */
export const TRY_ERRORS = [
  "http_status",
  ...(Object.keys(OUTBOUND_REASONS) as OutboundReason[]),
] as const;

export type TryError = (typeof TRY_ERRORS)[number];

export interface TryRecord {
  /** From 1, over the whole life of the delivery. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Null for success. */
  readonly error: TryError | null;
}

/** A delivery with everything that a try needs. */
export interface OpenDelivery {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly webhook: WebhookRecord;
}

export interface ListedDelivery {
  readonly delivery: DeliveryRecord;
  readonly event: SentEventName;
  readonly tries: readonly TryRecord[];
}

/** Where a delivery is in its webhook's list. */
export type DeliveryPosition = Pick<DeliveryRecord, "createdAt" | "id">;

/** The state of a delivery after a try. */
export interface TryOutcome {
  readonly state: "pending" | "delivered" | "failed";
  readonly failures: number;
  readonly sequence: number;
  readonly nextTryAt: Date;
  readonly deliveredAt: Date | null;
}

/** The owner of a webhook: an agent's epoch or a registration. */
export type WebhookSubject =
  | { readonly tokenId: bigint; readonly epoch: number }
  | { readonly registrationId: string };

/** A place that a job must be sent for. */
export interface QueuedDelivery {
  readonly id: string;
  readonly sequence: number;
  readonly nextTryAt: Date;
}

/** A delivery with the lease under which it is tried. */
export interface ClaimedDelivery {
  readonly open: OpenDelivery;
  readonly leaseId: string;
}

/** A try that has ended. */
export interface SettledTry {
  readonly id: string;
  readonly leaseId: string;
  readonly tried: Omit<TryRecord, "number">;
  readonly outcome: TryOutcome;
}

/**
 * Deliveries of one webhook that are neither delivered nor pending, by the time of their event.
 * Without tests and unstored events.
 */
export interface UndeliveredRange {
  readonly webhookId: string;
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date;
}

export type RevivedDeliveries =
  /** The first of a range, in the order of their events. */
  | { readonly undelivered: UndeliveredRange; readonly limit: number }
  /** One delivery, in any state, with a new number of attempts. */
  | { readonly deliveryId: string }
  /** All that are paused for one webhook. */
  | { readonly pausedOfWebhook: string }
  /** One, if it is paused. */
  | { readonly pausedDelivery: string };
