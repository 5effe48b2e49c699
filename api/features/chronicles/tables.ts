import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { CHRONICLE_CATEGORIES, type RecordEvolutionMessage } from "../../../protocol/index.ts";
import {
  address,
  appTable,
  at,
  bytea,
  exactJson,
  hex,
  uint256,
} from "../../platform/database/columns.ts";
import { BATCH_STAGES } from "./batches/batches.ts";
import { CHRONICLE_AUTHORITIES, type ChronicleData } from "./entries.ts";

/**
 * The contents of chronicles. Rows are only added: a trigger of the initial migration refuses UPDATE,
 * DELETE and TRUNCATE from every role. What changes about a chronicle is in `chronicle_state`.
 */
export const chronicle = appTable(
  "chronicle",
  {
    kept: { forever: "Chronicles are never dropped. A trigger refuses to change or delete one." },
    rebuiltFrom: "storage",
    lostWith:
      "Chronicles that are in no anchored batch: queued ones, and those that a revision or change of operator made. Of the others, who wrote them, their owners' signatures, and fractions of a second.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    /** Counts per token, from 1. */
    chronicleId: bigint("chronicle_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    category: text("category", { enum: CHRONICLE_CATEGORIES }).notNull(),
    changeType: text("change_type").notNull(),
    recordedAt: at("recorded_at").notNull(),
    /** The public part of what was sent. */
    data: jsonb("data").$type<ChronicleData>().notNull(),
    contentHash: hex("content_hash").notNull(),
    archiveId: text("archive_id").notNull(),
    /** 32 bytes. */
    leaf: bytea("leaf").notNull(),
    newSoulHash: hex("new_soul_hash"),
    authority: text("authority", { enum: CHRONICLE_AUTHORITIES }).notNull(),
    /** Null, like the three after it, unless its owner signed it. */
    signer: address("signer"),
    nonce: uint256("nonce"),
    message: exactJson<RecordEvolutionMessage>("message"),
    signature: hex("signature"),
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
export const chronicleState = appTable(
  "chronicle_state",
  {
    kept: { forever: "It holds the proofs of chronicles." },
    rebuiltFrom: "storage",
    lostWith:
      "The same chronicles as in app.chronicle. The order of arrival within a batch is a new one.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    chronicleId: bigint("chronicle_id", { mode: "bigint" }).notNull(),
    /** In the order of arrival. */
    seq: bigserial("seq", { mode: "bigint" }).notNull(),
    /** The transaction of one that was recorded on chain at once; such a one is in no batch. */
    txHash: hex("tx_hash"),
    batchId: bigint("batch_id", { mode: "bigint" }).references(() => chronicleBatch.id),
    /** The chronicle's own, repeated here so that a batch is read in the order of its tree. */
    leaf: bytea("leaf").notNull(),
    /** The siblings up to the batch's root, 32 bytes each; null until the batch is built. */
    proof: bytea("proof"),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.chronicleId] }),
    foreignKey({
      name: "chronicle_state_chronicle",
      columns: [table.tokenId, table.chronicleId],
      foreignColumns: [chronicle.tokenId, chronicle.chronicleId],
    }),
    index("chronicle_state_queued").on(table.seq).where(sql`batch_id is null and tx_hash is null`),
    index("chronicle_state_by_itself").on(table.seq).where(sql`tx_hash is not null`),
    index("chronicle_state_batch").on(table.batchId, table.leaf),
    index("chronicle_state_announce").on(table.batchId, table.seq),
  ],
);

/** A batch of chronicles, numbered as on chain. At most one is not anchored. */
export const chronicleBatch = appTable(
  "chronicle_batch",
  {
    kept: { forever: "Chronicles name their batch, and batches are numbered as on chain." },
    rebuiltFrom: "chain",
    lostWith: "A batch that is not anchored yet, and when batches were opened.",
    inPublicAnswers: true,
  },
  {
    id: bigint("id", { mode: "bigint" }).primaryKey(),
    /**
     * `open`: its members are fixed; only earlier versions wrote it. `built`: members, proofs, root and archive are fixed.
     * `anchored`: mined. `confirmed`: mined deep enough.
     */
    stage: text("stage", { enum: BATCH_STAGES }).notNull(),
    leafCount: integer("leaf_count").notNull(),
    root: hex("root"),
    previousRoot: hex("previous_root"),
    archiveId: text("archive_id"),
    /** How many of its transactions were mined and reverted. */
    failures: integer("failures").notNull().default(0),
    txHash: hex("tx_hash"),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    createdAt: at("created_at").notNull(),
    anchoredAt: at("anchored_at"),
    confirmedAt: at("confirmed_at"),
    /** Webhooks were notified of its chronicles up to this `seq`. */
    announcedSeq: bigint("announced_seq", { mode: "bigint" }).notNull().default(sql`0`),
    announcedAt: at("announced_at"),
  },
);

/** Per agent: the last chronicle's id, and how many of each kind were recorded on a day (UTC). */
export const chronicleCounter = appTable(
  "chronicle_counter",
  {
    kept: { forever: "One row for each agent: it numbers the next chronicle." },
    rebuiltFrom: "storage",
    lostWith:
      "How many chronicles were recorded today: today's limits begin again. Numbers of lost chronicles after the last anchored one are given again.",
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).primaryKey(),
    lastId: bigint("last_id", { mode: "bigint" }).notNull(),
    day: text("day").notNull(),
    dayCount: integer("day_count").notNull(),
    /** The same of revisions and operator changes, which do not count on `day`. */
    mandatoryDay: text("mandatory_day").notNull().default(""),
    mandatoryDayCount: integer("mandatory_day_count").notNull().default(0),
  },
);

/** Chronicles that an agent asks its owner to sign. */
export const chronicleRequest = appTable(
  "chronicle_request",
  {
    kept: { days: 30, since: "expires_at" },
    rebuiltFrom: null,
    lostWith: "Chronicles that wait for an owner's signature: the agents ask again.",
  },
  {
    id: text("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    agentName: text("agent_name").notNull(),
    /** It dies with the epoch it was made in. */
    epoch: integer("epoch").notNull(),
    category: text("category", { enum: CHRONICLE_CATEGORIES }).notNull(),
    changeType: text("change_type").notNull(),
    data: jsonb("data").$type<ChronicleData>().notNull(),
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

/**
 * Chronicles that follow from what the service carried out, added in the transaction that makes
 * them due.
 */
export const derivedChronicle = appTable(
  "derived_chronicle",
  {
    kept: { forever: "Its key keeps a chronicle from being recorded twice." },
    rebuiltFrom: null,
    lostWith: "Chronicles that the service was about to record.",
  },
  {
    key: text("key").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    category: text("category", { enum: CHRONICLE_CATEGORIES }).notNull(),
    data: jsonb("data").$type<ChronicleData>().notNull(),
    createdAt: at("created_at").notNull(),
    /** Null until it is recorded. */
    chronicleId: bigint("chronicle_id", { mode: "bigint" }),
  },
  (table) => [
    foreignKey({
      name: "derived_chronicle_chronicle",
      columns: [table.tokenId, table.chronicleId],
      foreignColumns: [chronicle.tokenId, chronicle.chronicleId],
    }),
  ],
);
