import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, jsonb, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { AlignmentBreakdown } from "../../../protocol/index.ts";
import { appTable, at, hex } from "../../platform/database/columns.ts";
import { BATCH_STAGES, SNAPSHOT_STATES, SNAPSHOT_TRIGGERS } from "./snapshots/snapshot.ts";

/** Snapshots of agents' alignment. Of each agent at most one is unfinished. */
export const alignmentSnapshot = appTable(
  "alignment_snapshot",
  {
    kept: { days: 90, since: "created_at", only: "state = 'dropped'" },
    rebuiltFrom: "storage",
    lostWith:
      "Snapshots that are not recorded on chain, and of recorded ones who asked for them and when.",
    inPublicAnswers: true,
  },
  {
    id: text("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    agentName: text("agent_name").notNull(),
    /** The score is of this epoch: a reseal before the record drops the snapshot. */
    epoch: integer("epoch").notNull(),
    trigger: text("trigger", { enum: SNAPSHOT_TRIGGERS }).notNull(),
    /**
     * `computing`: nothing is known yet. `computed`: score and content are fixed. `archived`: the
     * content is on permanent storage. `recorded`: the record is on chain, deep enough. `dropped`:
     * no score came of it.
     */
    state: text("state", { enum: SNAPSHOT_STATES }).notNull(),
    createdAt: at("created_at").notNull(),
    /** Why it was dropped. */
    dropReason: text("drop_reason"),
    /** Null, like the next five, while computing. The block whose state is scored. */
    scoredBlock: bigint("scored_block", { mode: "bigint" }),
    scoredHash: hex("scored_hash"),
    scoredAt: at("scored_at"),
    score: integer("score"),
    breakdown: jsonb("breakdown").$type<AlignmentBreakdown>(),
    /** The item to archive. Null again once it is recorded: permanent storage has it. */
    content: text("content"),
    archiveId: text("archive_id"),
    batchId: bigint("batch_id", { mode: "bigint" }).references(() => alignmentBatch.id),
    /** Of the same epoch; null for its first. Null, like the next two, until it is recorded. */
    previousScore: integer("previous_score"),
    txHash: hex("tx_hash"),
    recordedAt: at("recorded_at"),
    /** By which a retry of the request finds it; null for a scheduled one. */
    operationKey: text("operation_key").unique(),
  },
  (table) => [
    uniqueIndex("alignment_snapshot_unfinished")
      .on(table.tokenId)
      .where(sql`state in ('computing', 'computed', 'archived')`),
    index("alignment_snapshot_work")
      .on(table.state, table.createdAt, table.id)
      .where(sql`state in ('computing', 'computed', 'archived')`),
    index("alignment_snapshot_agent").on(table.tokenId, table.epoch, table.createdAt),
    index("alignment_snapshot_batch").on(table.batchId),
    index("alignment_snapshot_dropped").on(table.createdAt).where(sql`state = 'dropped'`),
  ],
);

/** Snapshots that one transaction records on chain. */
export const alignmentBatch = appTable(
  "alignment_batch",
  {
    kept: { forever: "Recorded snapshots name their batch." },
    rebuiltFrom: null,
    lostWith: "Which transaction a snapshot waits for. What was recorded is on chain.",
  },
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    /** `open`: its snapshots are fixed. `recorded`: mined. `confirmed`: mined deep enough. */
    stage: text("stage", { enum: BATCH_STAGES }).notNull(),
    /** How many of its transactions were mined and reverted. */
    failures: integer("failures").notNull().default(0),
    txHash: hex("tx_hash"),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    createdAt: at("created_at").notNull(),
    confirmedAt: at("confirmed_at"),
  },
);
