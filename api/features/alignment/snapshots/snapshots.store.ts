import { and, asc, desc, eq, inArray, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { listParameter } from "../../../platform/database/array-parameter.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import type { JobQueue } from "../../../platform/jobs/ports.ts";
import type { EventSink } from "../../webhooks/index.ts";
import { sendSnapshots } from "../job-names.ts";
import { alignmentBatch, alignmentSnapshot } from "../tables.ts";
import { type SnapshotProgress, UNFINISHED } from "./snapshot.ts";

// Snapshots and their batches in Postgres. Every function is one step: it is there afterwards or not.

/** A score that moved by less is not announced. */
const ANNOUNCED_MOVE = 5;

const STATUS = {
  computing: "computing",
  computed: "computing",
  archived: "recording",
  recorded: "recorded",
  dropped: "dropped",
} as const satisfies Record<SnapshotRow["state"], SnapshotProgress["status"]>;

type SnapshotRow = typeof alignmentSnapshot.$inferSelect;
type Complete<Row> = { readonly [Name in keyof Row]: NonNullable<Row[Name]> };
/** Columns that every row in some states has. */
type Known<Names extends keyof SnapshotRow> = Complete<Pick<SnapshotRow, Names>>;

/** A snapshot of one agent in one epoch. */
export type OpenSnapshot = Known<"id" | "tokenId" | "epoch" | "createdAt">;
/** What is fixed once a snapshot is computed. `content` is the item to archive. */
export type ScoredSnapshot = Known<
  "score" | "breakdown" | "scoredBlock" | "scoredHash" | "scoredAt" | "content"
>;
/** A snapshot whose content is fixed, with the hash of the block that it names. */
export type ComputedSnapshot = Known<"id" | "content" | "scoredBlock" | "scoredHash" | "scoredAt">;
/** A snapshot that can be recorded. */
export type ArchivedSnapshot = Known<
  "id" | "tokenId" | "epoch" | "score" | "scoredBlock" | "scoredAt" | "archiveId"
>;
export type SnapshotBatch = typeof alignmentBatch.$inferSelect;

/** A snapshot that ends without a record. */
export interface DroppedSnapshot {
  readonly id: string;
  /** For operators. */
  readonly reason: string;
}

export const isUnfinished = inArray(alignmentSnapshot.state, [...UNFINISHED]);
const { id, tokenId, epoch, createdAt } = alignmentSnapshot;
export const openColumns = { id, tokenId, epoch, createdAt };

/** How far an agent's last snapshot has come; null without one. */
export async function snapshotProgress(
  db: Executor,
  agent: bigint,
): Promise<SnapshotProgress | null> {
  const { state, dropReason } = alignmentSnapshot;
  const [row] = await db
    .select({ snapshotId: id, status: state, openedAt: createdAt, reason: dropReason })
    .from(alignmentSnapshot)
    .where(eq(tokenId, agent))
    .orderBy(desc(createdAt), desc(id))
    .limit(1);
  return row === undefined ? null : { ...row, status: STATUS[row.status] };
}

/** The next snapshots to compute, the oldest first, after one of an earlier page. */
export function computing(
  db: Executor,
  after: Pick<OpenSnapshot, "id"> | null,
  limit: number,
): Promise<OpenSnapshot[]> {
  // In the order in which they were opened.
  const isAfter =
    after === null
      ? undefined
      : sql`(${createdAt}, ${id}) > (
          select created_at, id from ${alignmentSnapshot} where id = ${after.id})`;
  return db
    .select(openColumns)
    .from(alignmentSnapshot)
    .where(and(eq(alignmentSnapshot.state, "computing"), isAfter))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit);
}

/** Fixes scores and contents, and drops the others. What is not `computing` stays as it is. */
export async function computed(
  db: Database,
  scored: readonly ({ readonly id: string } & ScoredSnapshot)[],
  dropped: readonly DroppedSnapshot[],
): Promise<void> {
  await db.transaction(async (tx) => {
    await update(
      tx,
      sql`state = 'computed', scored_block = given.scored_block,
        scored_hash = given.scored_hash, scored_at = given.scored_at, score = given.score, breakdown = given.breakdown, content = given.content`,
      {
        id: ["text", scored.map((row) => row.id)],
        scored_block: ["bigint", scored.map(({ scoredBlock }) => scoredBlock.toString())],
        scored_hash: ["text", scored.map(({ scoredHash }) => scoredHash)],
        scored_at: ["timestamptz", scored.map(({ scoredAt }) => scoredAt)],
        score: ["integer", scored.map(({ score }) => score)],
        breakdown: ["jsonb", scored.map(({ breakdown }) => JSON.stringify(breakdown))],
        content: ["text", scored.map(({ content }) => content)],
      },
      "computing",
    );
    await update(
      tx,
      sql`state = 'dropped', drop_reason = given.reason`,
      droppedColumns(dropped),
      "computing",
    );
  });
}

/** Those that score a block up to `settled`, the oldest first, without some. */
export async function listComputed(
  db: Executor,
  settled: bigint,
  except: readonly string[],
  limit: number,
): Promise<ComputedSnapshot[]> {
  const { content, scoredBlock, scoredHash, scoredAt } = alignmentSnapshot;
  const rows = await db
    .select({ id, content, scoredBlock, scoredHash, scoredAt })
    .from(alignmentSnapshot)
    .where(
      and(
        eq(alignmentSnapshot.state, "computed"),
        lte(scoredBlock, settled),
        sql`${id} <> all(${sql.param([...except])}::text[])`,
      ),
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(limit);
  return rows.map(complete);
}

/** What they scored is of a removed block, or long ago: they are computed again. */
export async function recompute(db: Executor, ids: readonly string[]): Promise<void> {
  await db
    .update(alignmentSnapshot)
    .set({
      state: "computing",
      scoredBlock: null,
      scoredHash: null,
      scoredAt: null,
      score: null,
      breakdown: null,
      content: null,
      archiveId: null,
      batchId: null,
    })
    .where(and(inArray(id, [...ids]), inArray(alignmentSnapshot.state, ["computed", "archived"])));
}

export async function archived(
  db: Executor,
  items: readonly Pick<ArchivedSnapshot, "id" | "archiveId">[],
): Promise<void> {
  await update(
    db,
    sql`state = 'archived', archive_id = given.archive_id`,
    {
      id: ["text", items.map((item) => item.id)],
      archive_id: ["text", items.map(({ archiveId }) => archiveId)],
    },
    "computed",
  );
}

/** Opens a batch over archived snapshots, the oldest first; null without one. */
export function openBatch(db: Database, limit: number, now: Date): Promise<SnapshotBatch | null> {
  return db.transaction(async (tx) => {
    // A process may have lost its lease without knowing: one snapshot is in one batch.
    const ready = await tx
      .select({ id })
      .from(alignmentSnapshot)
      .where(and(eq(alignmentSnapshot.state, "archived"), isNull(alignmentSnapshot.batchId)))
      .orderBy(asc(createdAt), asc(id))
      .limit(limit)
      .for("update", { skipLocked: true });
    if (ready.length === 0) return null;
    const [batch] = await tx
      .insert(alignmentBatch)
      .values({ stage: "open", createdAt: now })
      .returning();
    if (batch === undefined) throw new Error("A batch was not added.");
    const ids = ready.map((row) => row.id);
    await tx.update(alignmentSnapshot).set({ batchId: batch.id }).where(inArray(id, ids));
    return batch;
  });
}

export const listUnconfirmed = (db: Executor): Promise<SnapshotBatch[]> =>
  db
    .select()
    .from(alignmentBatch)
    .where(ne(alignmentBatch.stage, "confirmed"))
    .orderBy(asc(alignmentBatch.id));

export async function members(db: Executor, batchId: bigint): Promise<ArchivedSnapshot[]> {
  // Without the contents, which can be large.
  const { score, scoredBlock, scoredAt, archiveId } = alignmentSnapshot;
  const rows = await db
    .select({ id, tokenId, epoch, score, scoredBlock, scoredAt, archiveId })
    .from(alignmentSnapshot)
    .where(and(eq(alignmentSnapshot.batchId, batchId), eq(alignmentSnapshot.state, "archived")))
    .orderBy(asc(tokenId));
  return rows.map(complete);
}

/** The batch goes on without these. */
export async function drop(
  db: Executor,
  batchId: bigint,
  dropped: readonly DroppedSnapshot[],
): Promise<void> {
  await update(
    db,
    sql`state = 'dropped', drop_reason = given.reason, content = null`,
    droppedColumns(dropped),
    "archived",
    sql` and snapshot.batch_id = ${batchId}`,
  );
}

/** Its transaction was mined and reverted: the next one is another operation. */
export async function failed(db: Executor, batchId: bigint, failures: number): Promise<void> {
  await db.update(alignmentBatch).set({ failures }).where(eq(alignmentBatch.id, batchId));
}

/** The batch is mined; a job that follows it is queued with it. */
export async function recorded(
  db: Database,
  jobs: JobQueue,
  batchId: bigint,
  mined: Pick<SnapshotBatch, "txHash" | "blockNumber">,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(alignmentBatch)
      .set({ stage: "recorded", ...mined })
      .where(and(eq(alignmentBatch.id, batchId), eq(alignmentBatch.stage, "open")));
    await sendSnapshots(jobs, tx, now);
  });
}

/** Its block was removed by a reorganization. */
export async function unrecorded(db: Executor, batchId: bigint): Promise<void> {
  await db
    .update(alignmentBatch)
    .set({ stage: "open", txHash: null, blockNumber: null })
    .where(and(eq(alignmentBatch.id, batchId), eq(alignmentBatch.stage, "recorded")));
}

/** What a transaction recorded, and when. */
export interface BatchRecord {
  readonly txHash: Hex;
  readonly recordedAt: Date;
  readonly records: readonly { readonly id: string; readonly previousScore: number }[];
}

/**
 * Ends the batch and its snapshots, and notifies webhooks of the scores that moved.
 *
 * @param record Null when nothing of the batch could be recorded.
 */
export async function confirmed(
  db: Database,
  events: EventSink,
  batchId: bigint,
  record: BatchRecord | null,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [batch] = await tx
      .update(alignmentBatch)
      .set({ stage: "confirmed", confirmedAt: now })
      .where(and(eq(alignmentBatch.id, batchId), ne(alignmentBatch.stage, "confirmed")))
      .returning({ id: alignmentBatch.id });
    if (batch === undefined || record === null) return;
    const { txHash, recordedAt, records } = record;
    const isFirst = sql`not exists (select from ${alignmentSnapshot} as earlier
      where earlier.token_id = snapshot.token_id and earlier.epoch = snapshot.epoch
        and earlier.state = 'recorded')`;
    await update(
      tx,
      // The event of a first record says 0.
      sql`state = 'recorded', content = null, tx_hash = ${txHash}, recorded_at = ${recordedAt},
        previous_score = case when given.previous_score = 0 and ${isFirst} then null
          else given.previous_score end`,
      {
        id: ["text", records.map((row) => row.id)],
        previous_score: ["integer", records.map(({ previousScore }) => previousScore)],
      },
      "archived",
    );
    await announce(tx, events, batchId);
  });
}

/** Queues the job again, unless nothing is unfinished. */
export async function continueLater(db: Database, jobs: JobQueue, now: Date): Promise<void> {
  const [unfinished] = await db.select({ id }).from(alignmentSnapshot).where(isUnfinished).limit(1);
  if (unfinished !== undefined) await db.transaction((tx) => sendSnapshots(jobs, tx, now));
}

async function announce(tx: Executor, events: EventSink, batchId: bigint): Promise<void> {
  const { score, previousScore } = alignmentSnapshot;
  const moved = await tx
    .select()
    .from(alignmentSnapshot)
    .where(
      and(
        eq(alignmentSnapshot.batchId, batchId),
        eq(alignmentSnapshot.state, "recorded"),
        // The first score of an epoch has not moved.
        sql`abs(${score} - ${previousScore}) >= ${ANNOUNCED_MOVE}`,
      ),
    );
  for (const row of moved) {
    await events.emit(tx, {
      event: "alignment.changed",
      tokenId: row.tokenId,
      registrationId: null,
      key: row.id,
      data: {
        tokenId: Number(row.tokenId),
        agentName: row.agentName,
        score: known(row.score),
        previousScore: row.previousScore,
        txHash: known(row.txHash),
        recordedAt: known(row.recordedAt).toISOString(),
      },
    });
  }
}

type Column = readonly [type: string, values: readonly unknown[]];

const droppedColumns = (dropped: readonly DroppedSnapshot[]): Readonly<Record<string, Column>> => ({
  id: ["text", dropped.map((row) => row.id)],
  reason: ["text", dropped.map(({ reason }) => reason)],
});

/** One statement for many snapshots: those that are still in `state` are changed. */
async function update(
  tx: Executor,
  change: SQL,
  columns: Readonly<Record<string, Column>>,
  state: (typeof UNFINISHED)[number],
  also: SQL = sql``,
): Promise<void> {
  const names = sql.raw(Object.keys(columns).join(", "));
  const lists = Object.values(columns).map(([type, values]) => listParameter(values, type));
  await tx.execute(sql`
    update ${alignmentSnapshot} as snapshot set ${change}
    from unnest(${sql.join(lists, sql`, `)}) as given (${names})
    where snapshot.id = given.id and snapshot.state = ${state}${also}`);
}

/** @throws Error for a column that every row in this state has. */
function known<T>(value: T | null): T {
  if (value === null) throw new Error("A snapshot lacks what its state requires.");
  return value;
}

/** The row itself. @throws Error when it lacks a column that every row in its state has. */
function complete<Row extends object>(row: Row): Row & Complete<Row> {
  if (!isComplete(row)) throw new Error("A snapshot lacks what its state requires.");
  return row;
}

function isComplete<Row extends object>(row: Row): row is Row & Complete<Row> {
  return !Object.values(row).includes(null);
}
