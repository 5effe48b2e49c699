import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { app, at, bytea, uint256 } from "../../platform/database/columns.ts";

/**
 * The contents of chronicles. Rows are only added: the database refuses UPDATE, DELETE and TRUNCATE from every role (see the
 * migration `chronicle_append_only`). What changes about a chronicle is in `chronicle_state`.
 */
export const chronicle = app.table(
  "chronicle",
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    /** Counts per token, from 1. */
    chronicleId: bigint("chronicle_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    category: text("category").notNull(),
    changeType: text("change_type").notNull(),
    recordedAt: at("recorded_at").notNull(),
    /** The public part of what was sent. */
    data: jsonb("data").notNull(),
    contentHash: text("content_hash").notNull(),
    archiveId: text("archive_id").notNull(),
    /** 32 bytes. */
    leaf: bytea("leaf").notNull(),
    newSoulHash: text("new_soul_hash"),
    authority: text("authority", { enum: ["owner", "session", "api_key", "service"] }).notNull(),
    /** Null, like the three after it, unless its owner signed it. */
    signer: text("signer"),
    nonce: uint256("nonce"),
    message: jsonb("message"),
    signature: text("signature"),
    /** What a retry of the request that made it finds it by. */
    operationKey: text("operation_key").notNull().unique(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.chronicleId] }),
    unique("chronicle_leaf").on(table.leaf),
    index("chronicle_tasks").on(table.tokenId).where(sql`change_type = 'task_completed'`),
    /** A nonce is used once; it is checked against the chain as well. */
    uniqueIndex("chronicle_signer_nonce").on(table.signer, table.nonce),
  ],
);

/** How far a chronicle has come. */
export const chronicleState = app.table(
  "chronicle_state",
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    chronicleId: bigint("chronicle_id", { mode: "bigint" }).notNull(),
    /** In the order of arrival. */
    seq: bigserial("seq", { mode: "bigint" }).notNull(),
    /** The transaction of one that was recorded on chain at once; such a one is in no batch. */
    txHash: text("tx_hash"),
    batchId: bigint("batch_id", { mode: "bigint" }),
    /** The chronicle's own, repeated here so that a batch is read in the order of its tree. */
    leaf: bytea("leaf").notNull(),
    /** The siblings up to the batch's root, 32 bytes each; null until the batch is built. */
    proof: bytea("proof"),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.chronicleId] }),
    index("chronicle_state_queued").on(table.seq).where(sql`batch_id is null and tx_hash is null`),
    index("chronicle_state_batch").on(table.batchId, table.leaf),
    index("chronicle_state_announce").on(table.batchId, table.seq),
  ],
);

/** A batch of chronicles, numbered as on chain. At most one is not anchored. */
export const chronicleBatch = app.table("chronicle_batch", {
  id: bigint("id", { mode: "bigint" }).primaryKey(),
  /** `open`: its members are fixed. `built`: root and archive are too. `anchored`: mined. `confirmed`: mined deep enough. */
  stage: text("stage", { enum: ["open", "built", "anchored", "confirmed"] }).notNull(),
  leafCount: integer("leaf_count").notNull(),
  root: text("root"),
  previousRoot: text("previous_root"),
  archiveId: text("archive_id"),
  /** How many of its transactions were mined and reverted. */
  failures: integer("failures").notNull().default(0),
  txHash: text("tx_hash"),
  blockNumber: bigint("block_number", { mode: "bigint" }),
  createdAt: at("created_at").notNull(),
  anchoredAt: at("anchored_at"),
  confirmedAt: at("confirmed_at"),
  /** Webhooks were notified of its chronicles up to this `seq`. */
  announcedSeq: bigint("announced_seq", { mode: "bigint" }).notNull().default(sql`0`),
  announcedAt: at("announced_at"),
});

/** Per agent: the last chronicle's id, and how many of each kind were recorded on a day (UTC). */
export const chronicleCounter = app.table("chronicle_counter", {
  tokenId: bigint("token_id", { mode: "bigint" }).primaryKey(),
  lastId: bigint("last_id", { mode: "bigint" }).notNull(),
  day: text("day").notNull(),
  dayCount: integer("day_count").notNull(),
  /** The same of revisions and operator changes, which do not count on `day`. */
  mandatoryDay: text("mandatory_day").notNull().default(""),
  mandatoryDayCount: integer("mandatory_day_count").notNull().default(0),
});

/** Chronicles that an agent asks its owner to sign. */
export const chronicleRequest = app.table(
  "chronicle_request",
  {
    id: text("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    agentName: text("agent_name").notNull(),
    /** It dies with the epoch it was made in. */
    epoch: integer("epoch").notNull(),
    category: text("category").notNull(),
    changeType: text("change_type").notNull(),
    data: jsonb("data").notNull(),
    /** A new soul's salt is never shown, not even to holders of the link. */
    saltEncrypted: bytea("salt_encrypted"),
    description: text("description"),
    nonce: uint256("nonce").notNull(),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    submittedAt: at("submitted_at"),
    operationKey: text("operation_key").notNull().unique(),
  },
  (table) => [index("chronicle_request_expires_at").on(table.expiresAt)],
);

/** Chronicles that the service owes for what it carried out; added in the transaction of what they tell of. */
export const derivedChronicle = app.table("derived_chronicle", {
  key: text("key").primaryKey(),
  tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
  category: text("category").notNull(),
  data: jsonb("data").notNull(),
  createdAt: at("created_at").notNull(),
  /** Null until it is on record. */
  chronicleId: bigint("chronicle_id", { mode: "bigint" }),
});
