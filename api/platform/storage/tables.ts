import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, text, uuid } from "drizzle-orm/pg-core";
import { appTable, at, bytea } from "../database/columns.ts";
import { UPLOAD_FAILURES } from "./items.ts";

/** The service's own copy of every item it signed, whole as signed. */
export const storageItem = appTable(
  "storage_item",
  {
    kept: { forever: "They are the service's copies of what is stored permanently." },
    rebuiltFrom: "storage",
    lostWith:
      "Copies of items that no record on chain or in storage names: their bytes stay on permanent storage under their ids.",
    inPublicAnswers: true,
  },
  {
    id: text("id").primaryKey(),
    bytes: bytea("bytes").notNull(),
    /** SHA-256 of the data alone, which is all that most gateways serve. */
    dataHash: bytea("data_hash").notNull(),
    /** As in the item's tag, so that an item whose bytes were damaged can be signed again. */
    contentType: text("content_type").notNull(),
    createdAt: at("created_at").notNull(),
  },
);

/**
 * The state of an item's upload. Items without a row were stored by the embedded driver and never
 * uploaded.
 */
export const storageUpload = appTable(
  "storage_upload",
  {
    kept: { forever: "One row for each item, with the bundler's receipt." },
    rebuiltFrom: null,
    lostWith:
      "The state of uploads and the bundler's receipts. Items that no bundler had acknowledged are lost.",
    inPublicAnswers: true,
  },
  {
    id: text("id")
      .primaryKey()
      .references(() => storageItem.id, { onDelete: "cascade" }),
    /**
     * Whether the embedded driver stored it: it was announced before any upload, and is always
     * readable and never deleted.
     */
    wasOnlyHere: boolean("was_only_here").notNull().default(false),
    /** Attempts with an unknown result: the bundler may have the item from any of them. */
    openTries: integer("open_tries").notNull(),
    /** All attempts. */
    tries: integer("tries").notNull(),
    /** Why the last attempt failed. */
    lastFailure: text("last_failure", { enum: UPLOAD_FAILURES }),
    lastMessage: text("last_message"),
    touchedAt: at("touched_at").notNull(),
    /** When a job checks it again. */
    nextLookAt: at("next_look_at").notNull(),
    /** What the bundler answered; its own signed receipt where it gives one. */
    receipt: jsonb("receipt"),
    /** The first acknowledgement; `touchedAt` has the latest. */
    acknowledgedAt: at("acknowledged_at"),
    /** When a gateway first served the intact item. */
    seenAt: at("seen_at"),
  },
  (table) => [
    index("storage_upload_unsettled")
      .on(table.nextLookAt)
      .where(sql`acknowledged_at is null and (open_tries > 0 or was_only_here)`),
    index("storage_upload_unseen")
      .on(table.nextLookAt)
      .where(sql`acknowledged_at is not null and seen_at is null`),
  ],
);

/** Audits of permanent storage that ran to their end. */
export const storageAudit = appTable(
  "storage_audit",
  {
    kept: { days: 400, since: "finished_at" },
    rebuiltFrom: null,
    lostWith: "When past audits ran and what they found: run the audit again.",
  },
  {
    id: uuid("id").primaryKey(),
    startedAt: at("started_at").notNull(),
    finishedAt: at("finished_at").notNull(),
    /** Items that were read. */
    items: integer("items").notNull(),
    problems: integer("problems").notNull(),
  },
  (table) => [index("storage_audit_finished_at").on(table.finishedAt)],
);
