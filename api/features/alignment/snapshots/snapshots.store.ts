import { and, asc, eq, inArray, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { listParameter } from "../../../platform/database/array-parameter.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import type { JobQueue } from "../../../platform/jobs/ports.ts";
import type { EventSink } from "../../webhooks/index.ts";
import { sendSnapshots } from "../job-names.ts";
import { alignmentBatch, alignmentSnapshot } from "../tables.ts";
import type { ArchivedSnapshot, SnapshotBatch, SnapshotStore, UNFINISHED } from "./snapshots.ts";
import { continueUnfinished } from "./unfinished.store.ts";

/** A score that moved by less is not announced. */
const ANNOUNCED_MOVE = 5;

export interface SnapshotStoreOptions {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly events: EventSink;
  readonly clock: () => Date;
}

/** Snapshots and their batches in Postgres. */
export function createSnapshotStore({
  db,
  jobs,
  events,
  clock,
}: SnapshotStoreOptions): SnapshotStore {
  const continueIn = (tx: Executor) => sendSnapshots(jobs, tx, clock());

  return {
    async computing(after, limit) {
      return db
        .select({
          id: alignmentSnapshot.id,
          tokenId: alignmentSnapshot.tokenId,
          epoch: alignmentSnapshot.epoch,
          createdAt: alignmentSnapshot.createdAt,
        })
        .from(alignmentSnapshot)
        .where(and(eq(alignmentSnapshot.state, "computing"), isAfter(after)))
        .orderBy(asc(alignmentSnapshot.createdAt), asc(alignmentSnapshot.id))
        .limit(limit);
    },

    async computed(scored, dropped) {
      await db.transaction(async (tx) => {
        await update(
          tx,
          sql`state = 'computed', scored_block = given.scored_block,
            scored_hash = given.scored_hash, scored_at = given.scored_at, score = given.score, breakdown = given.breakdown, content = given.content`,
          {
            id: ["text", scored.map(({ id }) => id)],
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
          {
            id: ["text", dropped.map(({ id }) => id)],
            reason: ["text", dropped.map(({ reason }) => reason)],
          },
          "computing",
        );
      });
    },

    async listComputed(settled, except, limit) {
      const rows = await db
        .select()
        .from(alignmentSnapshot)
        .where(
          and(
            eq(alignmentSnapshot.state, "computed"),
            lte(alignmentSnapshot.scoredBlock, settled),
            sql`${alignmentSnapshot.id} <> all(${sql.param([...except])}::text[])`,
          ),
        )
        .orderBy(asc(alignmentSnapshot.createdAt), asc(alignmentSnapshot.id))
        .limit(limit);
      return rows.map(({ id, content, scoredBlock, scoredHash, scoredAt }) => ({
        id,
        content: known(content),
        scoredBlock: known(scoredBlock),
        scoredHash: known(scoredHash),
        scoredAt: known(scoredAt),
      }));
    },

    async recompute(ids) {
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
        .where(
          and(
            inArray(alignmentSnapshot.id, [...ids]),
            inArray(alignmentSnapshot.state, ["computed", "archived"]),
          ),
        );
    },

    async archived(items) {
      await update(
        db,
        sql`state = 'archived', archive_id = given.archive_id`,
        {
          id: ["text", items.map(({ id }) => id)],
          archive_id: ["text", items.map(({ archiveId }) => archiveId)],
        },
        "computed",
      );
    },

    openBatch(limit) {
      return db.transaction(async (tx) => {
        // A process may have lost its lease without knowing: one snapshot is in one batch.
        const ready = await tx
          .select({ id: alignmentSnapshot.id })
          .from(alignmentSnapshot)
          .where(and(eq(alignmentSnapshot.state, "archived"), isNull(alignmentSnapshot.batchId)))
          .orderBy(asc(alignmentSnapshot.createdAt), asc(alignmentSnapshot.id))
          .limit(limit)
          .for("update", { skipLocked: true });
        if (ready.length === 0) return null;
        const [row] = await tx
          .insert(alignmentBatch)
          .values({ stage: "open", createdAt: clock() })
          .returning();
        if (row === undefined) throw new Error("A batch was not added.");
        await tx
          .update(alignmentSnapshot)
          .set({ batchId: row.id })
          .where(
            inArray(
              alignmentSnapshot.id,
              ready.map(({ id }) => id),
            ),
          );
        return toBatch(row);
      });
    },

    async listUnconfirmed() {
      const rows = await db
        .select()
        .from(alignmentBatch)
        .where(ne(alignmentBatch.stage, "confirmed"))
        .orderBy(asc(alignmentBatch.id));
      return rows.map(toBatch);
    },

    async members(batchId) {
      // Without the contents, which can be large.
      const { id, tokenId, epoch, score, scoredBlock, scoredAt, archiveId } = alignmentSnapshot;
      const rows = await db
        .select({ id, tokenId, epoch, score, scoredBlock, scoredAt, archiveId })
        .from(alignmentSnapshot)
        .where(and(eq(alignmentSnapshot.batchId, batchId), eq(alignmentSnapshot.state, "archived")))
        .orderBy(asc(alignmentSnapshot.tokenId));
      return rows.map(toArchived);
    },

    async drop(batchId, dropped) {
      await update(
        db,
        sql`state = 'dropped', drop_reason = given.reason, content = null`,
        {
          id: ["text", dropped.map(({ id }) => id)],
          reason: ["text", dropped.map(({ reason }) => reason)],
        },
        "archived",
        sql` and snapshot.batch_id = ${batchId}`,
      );
    },

    async failed(batchId, failures) {
      await db.update(alignmentBatch).set({ failures }).where(eq(alignmentBatch.id, batchId));
    },

    async recorded(batchId, { txHash, block }) {
      await db.transaction(async (tx) => {
        await tx
          .update(alignmentBatch)
          .set({ stage: "recorded", txHash, blockNumber: block })
          .where(and(eq(alignmentBatch.id, batchId), eq(alignmentBatch.stage, "open")));
        await continueIn(tx);
      });
    },

    async unrecorded(batchId) {
      await db
        .update(alignmentBatch)
        .set({ stage: "open", txHash: null, blockNumber: null })
        .where(and(eq(alignmentBatch.id, batchId), eq(alignmentBatch.stage, "recorded")));
    },

    async confirmed(batchId, txHash, recordedAt, records) {
      await db.transaction(async (tx) => {
        const [batch] = await tx
          .update(alignmentBatch)
          .set({ stage: "confirmed", confirmedAt: clock() })
          .where(and(eq(alignmentBatch.id, batchId), ne(alignmentBatch.stage, "confirmed")))
          .returning({ id: alignmentBatch.id });
        if (batch === undefined || txHash === null || recordedAt === null) return;
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
            id: ["text", records.map(({ id }) => id)],
            previous_score: ["integer", records.map(({ previousScore }) => previousScore)],
          },
          "archived",
        );
        await announce(tx, batchId);
      });
    },

    continueLater: () => continueUnfinished(db, jobs, clock()),
  };

  async function announce(tx: Executor, batchId: bigint): Promise<void> {
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
}

/** In the order in which they were opened. */
function isAfter(earlier: { readonly id: string } | null): SQL | undefined {
  if (earlier === null) return undefined;
  return sql`(${alignmentSnapshot.createdAt}, ${alignmentSnapshot.id}) > (
    select created_at, id from ${alignmentSnapshot} where id = ${earlier.id})`;
}

type Column = readonly [type: string, values: readonly unknown[]];

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

function toBatch(row: typeof alignmentBatch.$inferSelect): SnapshotBatch {
  const { id, stage, failures, txHash } = row;
  return { id, stage, failures, txHash };
}

type ArchivedRow = Pick<typeof alignmentSnapshot.$inferSelect, keyof ArchivedSnapshot>;

function toArchived(row: ArchivedRow): ArchivedSnapshot {
  const { id, tokenId, epoch, score, scoredBlock, scoredAt, archiveId } = row;
  return {
    id,
    tokenId,
    epoch,
    score: known(score),
    scoredBlock: known(scoredBlock),
    scoredAt: known(scoredAt),
    archiveId: known(archiveId),
  };
}

/** @throws Error for a column that every row in this state has. */
function known<T>(value: T | null): T {
  if (value === null) throw new Error("A snapshot lacks what its state requires.");
  return value;
}
