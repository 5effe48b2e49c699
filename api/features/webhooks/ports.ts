import type { CursorPage, PageOf } from "../../kernel/list-pages.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { OUTBOUND_REASONS, type OutboundReason } from "../../platform/outbound/ports.ts";
import type { EventName } from "./events.ts";
import type { FailureStreak } from "./failures.ts";
import type { ConfirmationRows } from "./mail/ports.ts";

/** Sent on request to one webhook, to test it. It is tried once and cannot be subscribed to. */
export const TEST_EVENT = "webhook.test";

/** How long events and their deliveries are stored. */
export const EVENTS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** The events that a delivery can have. */
export type SentEventName = EventName | typeof TEST_EVENT;

export interface WebhookRecord extends FailureStreak {
  readonly id: string;
  /** Null until the registration is claimed, exactly like `epoch`. */
  readonly tokenId: bigint | null;
  readonly registrationId: string | null;
  readonly epoch: number | null;
  /** Owner of the agent in this epoch, in lower case. Null before the claim. */
  readonly owner: string | null;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly notifyEmail: string | null;
  /** When the holder of that address agreed to notices. Null: none is sent. */
  readonly mailConfirmedAt: Date | null;
  readonly enabled: boolean;
  readonly disabledReason: "owner" | "failures" | null;
  readonly disabledAt: Date | null;
  /** A reseal ended it. */
  readonly endedAt: Date | null;
  /**
   * When its owner was last notified by mail, about its disabling and about failures before that.
   */
  readonly mailedAt: Date | null;
  readonly warnedAt: Date | null;
  readonly secretVersion: number;
  /** Version of the master key that the secret is derived from. */
  readonly secretMaster: number;
  readonly secretHash: Buffer;
  readonly previousMaster: number | null;
  readonly previousUntil: Date | null;
  readonly rotation: string | null;
  readonly createdAt: Date;
}

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
  readonly traceparent?: string | null | undefined;
}

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

/** How many deliveries may be tried at once, by all processes together. */
export const PLACES = { webhook: 2, lane: 4 } as const;

/** A place that a job must be sent for. */
export interface QueuedDelivery {
  readonly id: string;
  readonly sequence: number;
  readonly nextTryAt: Date;
}

/** Statements on the tables of webhooks; each is atomic. */
export interface WebhookRows extends ConfirmationRows {
  /** Until the transaction's end, no other one adds webhooks for this subject. */
  lockSubject(subject: WebhookSubject): Promise<void>;
  listWebhooks(subject: WebhookSubject): Promise<readonly WebhookRecord[]>;
  /** Does nothing when the id exists. */
  insertWebhook(webhook: WebhookRecord): Promise<void>;
  findWebhook(id: string): Promise<WebhookRecord | null>;
  /** The webhook, locked until the transaction's end. Lock it before its deliveries. */
  lockWebhook(id: string): Promise<WebhookRecord | null>;
  /** As {@link lockWebhook}, those that exist. */
  lockWebhooks(ids: readonly string[]): Promise<readonly WebhookRecord[]>;
  updateWebhook(id: string, changes: Partial<Omit<WebhookRecord, "id">>): Promise<void>;
  deleteWebhook(id: string): Promise<boolean>;
  /** Notices may go to the address of this webhook, for all of its owner that name it. Returns how many. */
  confirmMail(webhookId: string, at: Date): Promise<number>;
  /** Webhooks of a registration follow its claim. */
  adopt(registrationId: string, tokenId: bigint, epoch: number, owner: string): Promise<void>;
  /** Ends webhooks of epochs before `epoch`. Resolves to how many. */
  end(tokenId: bigint, epoch: number, at: Date): Promise<number>;
  /** Ends webhooks of a registration whose claim is unfinished. Resolves to how many. */
  endUnclaimed(registrationId: string, at: Date): Promise<number>;

  /** Writes the events whose keys are new. Resolves to the ids of those. */
  insertEvents(events: readonly EventRecord[]): Promise<ReadonlySet<string>>;
  /**
   * For each event, the webhooks of its agent or its registration that subscribed to it, disabled
   * ones too.
   */
  subscribers(
    events: readonly {
      readonly event: EventName;
      readonly tokenId: bigint | null;
      readonly registrationId: string | null;
    }[],
  ): Promise<readonly (readonly WebhookRecord[])[]>;
  /** Those of these agents with a webhook that subscribed to the event, disabled ones too. */
  receivers(event: EventName, tokenIds: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Webhooks that share a lane with this one and subscribed to the event, without itself. */
  neighbours(event: EventName, webhook: WebhookRecord): Promise<readonly WebhookRecord[]>;
  insertDeliveries(
    deliveries: readonly (DeliveryRecord & { readonly eventId: string })[],
  ): Promise<void>;
  findDelivery(id: string): Promise<OpenDelivery | null>;
  /** Those that exist, in any order. */
  findDeliveries(ids: readonly string[]): Promise<readonly OpenDelivery[]>;
  /** Newest first. */
  listDeliveries(
    webhookId: string,
    page: CursorPage<DeliveryPosition>,
  ): Promise<PageOf<ListedDelivery, DeliveryPosition>>;
  /**
   * Claims deliveries that are due, unclaimed and within their webhooks' concurrency, and resolves
   * to the leases of those. Call it within a transaction: it locks the webhooks' lanes, so that all
   * processes together respect the limits.
   */
  claimDeliveries(
    wanted: readonly WantedDelivery[],
    lease: DeliveryLease,
  ): Promise<ReadonlySet<string>>;
  /**
   * Until the transaction's end, no other one looks for places in the lanes of these webhooks. Lock the
   * webhooks before, and all lanes at once: otherwise two transactions could wait for each other.
   */
  lockLanes(webhooks: readonly WebhookRecord[]): Promise<void>;
  /**
   * Due deliveries for which the lanes of these webhooks have places now. Within a transaction that
   * has locked the lanes.
   */
  nextDeliveries(webhooks: readonly WebhookRecord[], at: Date): Promise<readonly QueuedDelivery[]>;
  /**
   * Claims the next due deliveries in the lanes of these webhooks, at most one for each entry of the
   * list and as many as have places. Within a transaction that has locked the lanes.
   */
  claimNext(
    webhooks: readonly WebhookRecord[],
    lease: DeliveryLease,
  ): Promise<readonly ClaimedDelivery[]>;
  /** Gives the right back without a try. */
  releaseDelivery(id: string, leaseId: string): Promise<void>;
  /**
   * Records tries and their outcomes, within a transaction that has locked their webhooks. Does
   * nothing for those whose lease is lost. Resolves to the leases of the rest.
   */
  settleTries(settled: readonly SettledTry[]): Promise<ReadonlySet<string>>;
  insertTry(deliveryId: string, tried: TryRecord): Promise<void>;
  /** From `pending`, unless a try is running. */
  setAside(id: string, state: "paused" | "cancelled", at: Date): Promise<void>;
  /**
   * Makes deliveries pending and due, each with its next sequence, and resolves to those that it
   * found.
   */
  revive(which: RevivedDeliveries, at: Date): Promise<readonly QueuedDelivery[]>;
  /** Counts what {@link revive} finds for a range. */
  countUndelivered(range: UndeliveredRange): Promise<number>;

  /**
   * Pending, due at `before`, and not being tried at `at`: their jobs were lost. Only as many as
   * have places, shared fairly between lanes: a try that ends sends the jobs of the next ones in
   * its lane.
   */
  overdue(before: Date, at: Date, limit: number): Promise<readonly QueuedDelivery[]>;
  /** Paused deliveries of enabled webhooks, the least recently checked first. */
  paused(limit: number): Promise<readonly OpenDelivery[]>;
  /** Marks it as checked and still paused. */
  touchPaused(id: string, at: Date): Promise<void>;
  /**
   * Ends paused deliveries older than `before`: `missed` for disabled webhooks, `cancelled` for
   * others.
   */
  expirePaused(before: Date): Promise<void>;
  /**
   * Removes events from before `before` that no delivery waits for, and webhooks that ended before
   * it.
   */
  forget(before: Date): Promise<void>;
}

/** A delivery that a worker wants to try, under a lease of its own. */
export interface WantedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly leaseId: string;
}

/** A delivery with the lease under which it is tried. */
export interface ClaimedDelivery {
  readonly open: OpenDelivery;
  readonly leaseId: string;
}

/** When leases begin and end. */
export interface DeliveryLease {
  readonly at: Date;
  readonly until: Date;
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

/** Webhooks in a database. */
export interface WebhookStore {
  readonly rows: WebhookRows;
  /** The statements within the caller's transaction. */
  within(transaction: Transaction): WebhookRows;
  transaction<T>(work: (transaction: Transaction, rows: WebhookRows) => Promise<T>): Promise<T>;
}
