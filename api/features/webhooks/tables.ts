import { type SQL, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  json,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { appTable, at, bytea } from "../../platform/database/columns.ts";
import { EVENT_NAMES, TEST_EVENT } from "./events.ts";
import { DELIVERY_STATES, type EventRecord, TRY_ERRORS } from "./records.ts";

/**
 * Webhooks of one lane share the places for deliveries, so that no owner delays another one. A lane
 * is an owner's; before the claim the registration's.
 */
export function lane(table: {
  readonly owner: AnyPgColumn;
  readonly registrationId: AnyPgColumn;
  readonly id: AnyPgColumn;
}): SQL<string> {
  return sql`coalesce(${table.owner}, ${table.registrationId}::text, ${table.id}::text)`;
}

/**
 * Where an agent's events are posted. Only the hash of its secret is stored: the secret is derived
 * when it is needed.
 */
export const webhook = appTable(
  "webhook",
  {
    kept: { removedBy: "webhooks.sweep", when: "30 days after it ended" },
    rebuiltFrom: null,
    lostWith: "All webhooks: owners register them again, and get new secrets.",
  },
  {
    id: uuid("id").primaryKey(),
    /** Null until the registration is claimed, exactly like epoch. */
    tokenId: bigint("token_id", { mode: "bigint" }),
    registrationId: uuid("registration_id"),
    /** Owner of the agent in this epoch, in lower case. Null before the claim. */
    owner: text("owner"),
    /** Seal epoch it was registered in, and ends with. */
    epoch: integer("epoch"),
    url: text("url").notNull(),
    events: text("events", { enum: EVENT_NAMES }).array().notNull(),
    notifyEmail: text("notify_email"),
    /** When the holder of that address agreed to notices. Null: none is sent. */
    mailConfirmedAt: at("mail_confirmed_at"),
    enabled: boolean("enabled").notNull(),
    disabledReason: text("disabled_reason", { enum: ["owner", "failures"] }),
    disabledAt: at("disabled_at"),
    endedAt: at("ended_at"),
    /**
     * Deliveries of the tries that failed in a row, the latest last; at most as many as decide
     * about disabling.
     */
    failedTries: uuid("failed_tries").array().notNull().default([]),
    /** Start of the first of those tries; null when the last try succeeded. */
    failingSince: at("failing_since"),
    /** When the owner was last notified by mail about its disabling. */
    mailedAt: at("mailed_at"),
    /** When the owner was last notified by mail about failures before the disabling. */
    warnedAt: at("warned_at"),
    secretVersion: integer("secret_version").notNull(),
    secretMaster: smallint("secret_master").notNull(),
    secretHash: bytea("secret_hash").notNull(),
    /** Master key of the previous version; null when it does not sign any more. */
    previousMaster: smallint("previous_master"),
    previousUntil: at("previous_until"),
    /** The last rotating operation: repeating it rotates no further. */
    rotation: uuid("rotation"),
    createdAt: at("created_at").notNull(),
  },
  (table) => [
    index("webhook_token_id").on(table.tokenId),
    index("webhook_registration_id").on(table.registrationId),
    index("webhook_lane").on(lane(table)),
    index("webhook_ended").on(table.endedAt).where(sql`ended_at is not null`),
  ],
);

/** An event, stored once for all webhooks that receive it. */
export const webhookEvent = appTable(
  "webhook_event",
  {
    kept: {
      removedBy: "webhooks.sweep",
      when: "30 days after the event, when nothing of it is pending",
    },
    rebuiltFrom: null,
    lostWith: "Events that were not delivered yet.",
  },
  {
    id: uuid("id").primaryKey(),
    /** The event's name, its agent and its key. */
    key: text("key").notNull().unique(),
    event: text("event", { enum: [...EVENT_NAMES, TEST_EVENT] }).notNull(),
    /**
     * As `json`, which keeps the order of its fields. Null when it held private values, and was
     * sent from memory.
     */
    data: json("data").$type<EventRecord["data"]>(),
    occurredAt: at("occurred_at").notNull(),
  },
  (table) => [index("webhook_event_occurred_at").on(table.occurredAt)],
);

/** One event's delivery to one webhook. Every try carries its id. */
export const webhookDelivery = appTable(
  "webhook_delivery",
  {
    kept: {
      removedBy: "webhooks.sweep",
      when: "30 days after the event, when nothing of it is pending",
    },
    rebuiltFrom: null,
    lostWith: "Deliveries on their way, and the history of deliveries.",
  },
  {
    id: uuid("id").primaryKey(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhook.id, { onDelete: "cascade" }),
    eventId: uuid("event_id")
      .notNull()
      .references(() => webhookEvent.id, { onDelete: "cascade" }),
    state: text("state", { enum: DELIVERY_STATES }).notNull(),
    /** Failed tries in a row. */
    failures: smallint("failures").notNull(),
    /** Counts the jobs enqueued for it: identifies the one pending job. */
    sequence: integer("sequence").notNull(),
    nextTryAt: at("next_try_at").notNull(),
    /** The trace of the event's cause, in the form of W3C Trace Context. */
    traceparent: text("traceparent"),
    /** The lease of the current attempt, and its end. */
    leaseId: uuid("lease_id"),
    lockedUntil: at("locked_until"),
    createdAt: at("created_at").notNull(),
    deliveredAt: at("delivered_at"),
  },
  (table) => [
    unique("webhook_delivery_once").on(table.webhookId, table.eventId),
    index("webhook_delivery_listed").on(table.webhookId, table.createdAt, table.id),
    index("webhook_delivery_event_id").on(table.eventId),
    /** The next deliveries of a webhook. */
    index("webhook_delivery_pending")
      .on(table.webhookId, table.nextTryAt)
      .where(sql`state = 'pending'`),
    /** The deliveries that are being tried. */
    index("webhook_delivery_leased").on(table.webhookId).where(sql`locked_until is not null`),
    index("webhook_delivery_open")
      .on(table.state, table.nextTryAt)
      .where(sql`state in ('pending', 'paused')`),
  ],
);

/** One POST and its result. Of the answer only the status is stored. */
export const webhookTry = appTable(
  "webhook_try",
  {
    kept: {
      removedBy: "webhooks.sweep",
      when: "30 days after the event, when nothing of it is pending",
    },
    rebuiltFrom: null,
    lostWith: "The history of tries.",
  },
  {
    deliveryId: uuid("delivery_id")
      .notNull()
      .references(() => webhookDelivery.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    startedAt: at("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    statusCode: smallint("status_code"),
    error: text("error", { enum: TRY_ERRORS }),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);

/** Mails that ask the holders of addresses whether notices may be sent there. */
export const mailConfirmation = appTable(
  "mail_confirmation",
  {
    kept: { days: 30, since: "created_at" },
    rebuiltFrom: null,
    lostWith: "Links in confirming mails: owners register their webhooks again.",
  },
  {
    id: uuid("id").primaryKey(),
    webhookId: uuid("webhook_id").notNull(),
    tokenHash: bytea("token_hash").notNull().unique(),
    tokenMaster: smallint("token_master").notNull(),
    /** Keyed: an address cannot be found from it by trying. */
    addressHash: bytea("address_hash").notNull(),
    /** The agent, or the registration before its claim. */
    subject: text("subject").notNull(),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [
    index("mail_confirmation_address").on(table.addressHash, table.createdAt),
    index("mail_confirmation_subject").on(table.subject, table.createdAt),
    index("mail_confirmation_created_at").on(table.createdAt),
  ],
);
