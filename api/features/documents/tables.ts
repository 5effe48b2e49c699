import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { appTable, at, bytea, hex } from "../../platform/database/columns.ts";
import { DOCUMENT_FORMATS } from "./formats.ts";

/**
 * Every version of every soul document. A reseal starts anew: an earlier owner's documents stay in
 * their own epoch.
 */
export const documentVersion = appTable(
  "document_version",
  {
    kept: { forever: "Every version stays, as on permanent storage." },
    rebuiltFrom: "storage",
    lostWith:
      "Documents whose items are named nowhere else: see --items. Without it, the documents declared with a seal are back without their content, and their owners upload them again.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    documentId: text("document_id").notNull(),
    /** From 1. */
    version: integer("version").notNull(),
    type: text("type").notNull(),
    title: text("title").notNull(),
    format: text("format", { enum: DOCUMENT_FORMATS }).notNull(),
    contentHash: hex("content_hash").notNull(),
    immutable: boolean("immutable").notNull(),
    /** Null, like `uploadedAt`, while only its hash was declared. */
    archiveId: text("archive_id"),
    uploadedAt: at("uploaded_at"),
    /** The record that announced it; null for a document declared with the seal. */
    chronicleId: bigint("chronicle_id", { mode: "bigint" }),
    /** Whether it replaced a version that was declared immutable. */
    breaksImmutability: boolean("breaks_immutability").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.epoch, table.documentId, table.version] }),
  ],
);

/** Permissions to upload one version of one document, by the hash of their token only. */
export const documentUpload = appTable(
  "document_upload",
  {
    kept: { days: 30, since: "expires_at" },
    rebuiltFrom: null,
    lostWith: "Permissions to upload documents: agents ask for new ones.",
  },
  {
    tokenHash: bytea("token_hash").primaryKey(),
    /** The operation that issued it, and the version of the master key that its token was derived with. */
    operationId: text("operation_id").notNull(),
    keyVersion: smallint("key_version").notNull(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    documentId: text("document_id").notNull(),
    type: text("type").notNull(),
    title: text("title").notNull(),
    format: text("format", { enum: DOCUMENT_FORMATS }).notNull(),
    contentHash: hex("content_hash").notNull(),
    immutable: boolean("immutable").notNull(),
    chronicleId: bigint("chronicle_id", { mode: "bigint" }),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [
    index("document_upload_operation").on(table.operationId),
    index("document_upload_expires_at").on(table.expiresAt),
    /** A new permission for a document ends the previous one. */
    uniqueIndex("document_upload_open")
      .on(table.tokenId, table.epoch, table.documentId)
      .where(sql`used_at is null`),
  ],
);
