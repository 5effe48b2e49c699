import { and, asc, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { listParameter } from "../../../platform/database/array-parameter.ts";
import type { Executor } from "../../../platform/database/connect.ts";
import { type ChronicleStoreOptions, recordedEvent, toRecorded } from "../chronicles.store.ts";
import { CHRONICLE_JOBS } from "../job-names.ts";
import { chronicle, chronicleBatch, chronicleState } from "../tables.ts";
import type { BatchMember, BatchStore, ChronicleBatch } from "./batches.ts";

/** Members that are held in memory at once. */
const PIECE = 1_000;
/** Chronicles whose webhooks are notified in one transaction. */
const ANNOUNCED_AT_ONCE = 200;
/** Until a batch that was mined is checked again, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

type Row = typeof chronicleBatch.$inferSelect;

/** Batches in Postgres. */
export function createBatchStore({
  db,
  jobs,
  events,
  clock,
}: Omit<ChronicleStoreOptions, "sponsorship">): BatchStore {
  const checkAgain = (tx: Executor) =>
    jobs.send(
      tx,
      CHRONICLE_JOBS.follow,
      {},
      { startAfter: new Date(clock().getTime() + LOOK_AGAIN_MS), singletonKey: "unconfirmed" },
    );

  return {
    async listUnconfirmed() {
      const rows = await db
        .select()
        .from(chronicleBatch)
        .where(ne(chronicleBatch.stage, "confirmed"))
        .orderBy(asc(chronicleBatch.id));
      return rows.map(toBatch);
    },

    async last() {
      const [row] = await db
        .select()
        .from(chronicleBatch)
        .orderBy(desc(chronicleBatch.id))
        .limit(1);
      return row ? toBatch(row) : null;
    },

    open(lastId, maxLeaves) {
      return db.transaction(async (tx) => {
        // A process may have lost its lease without knowing. Then the second of two finds the batch of the first.
        await tx.execute(sql`lock table ${chronicleBatch} in exclusive mode`);
        const [last] = await tx
          .select({ id: chronicleBatch.id })
          .from(chronicleBatch)
          .orderBy(desc(chronicleBatch.id))
          .limit(1);
        if ((last?.id ?? 0n) !== lastId) return null;
        const isQueued = and(isNull(chronicleState.batchId), isNull(chronicleState.txHash));
        const [queued] = await tx
          .select({ seq: chronicleState.seq })
          .from(chronicleState)
          .where(isQueued)
          .limit(1);
        if (queued === undefined) return null;
        const id = lastId + 1n;
        // Its members refer to it, so that it is counted after them.
        await tx
          .insert(chronicleBatch)
          .values({ id, stage: "open", leafCount: 0, createdAt: clock() });
        const updated = await tx.execute(sql`
          with oldest as (
            select token_id, chronicle_id from ${chronicleState}
            where batch_id is null and tx_hash is null
            order by seq limit ${maxLeaves} for update
          ), taken as (
            update ${chronicleState} as state set batch_id = ${id} from oldest
            where state.token_id = oldest.token_id and state.chronicle_id = oldest.chronicle_id
            returning 1
          ) select count(*)::int as leaves from taken`);
        const leafCount = Number(updated.rows[0]?.leaves ?? 0);
        const [row] = await tx
          .update(chronicleBatch)
          .set({ leafCount })
          .where(eq(chronicleBatch.id, id))
          .returning();
        return row ? toBatch(row) : null;
      });
    },

    async *members(batchId) {
      let after: Buffer = Buffer.alloc(0);
      for (;;) {
        const rows = await db
          .select({
            tokenId: chronicleState.tokenId,
            chronicleId: chronicleState.chronicleId,
            leaf: chronicleState.leaf,
            archiveId: chronicle.archiveId,
          })
          .from(chronicleState)
          .innerJoin(
            chronicle,
            and(
              eq(chronicle.tokenId, chronicleState.tokenId),
              eq(chronicle.chronicleId, chronicleState.chronicleId),
            ),
          )
          .where(and(eq(chronicleState.batchId, batchId), gt(chronicleState.leaf, after)))
          .orderBy(asc(chronicleState.leaf))
          .limit(PIECE);
        const last = rows.at(-1);
        if (!last) return;
        yield rows satisfies readonly BatchMember[];
        if (rows.length < PIECE) return;
        after = last.leaf;
      }
    },

    async saveProofs(batchId, proofs) {
      await db.execute(sql`
        update ${chronicleState} as state
        set proof = given.proof
        from unnest(${byteaArray(proofs.map(({ leaf }) => leaf))}, ${byteaArray(proofs.map(({ proof }) => proof))})
          as given (leaf, proof)
        where state.batch_id = ${batchId} and state.leaf = given.leaf`);
    },

    async built(batchId, batch) {
      await db
        .update(chronicleBatch)
        .set({ ...batch, stage: "built" })
        .where(and(eq(chronicleBatch.id, batchId), eq(chronicleBatch.stage, "open")));
    },

    async anchored(batchId, { txHash, block }) {
      await db.transaction(async (tx) => {
        await tx
          .update(chronicleBatch)
          .set({ stage: "anchored", txHash, blockNumber: block, anchoredAt: clock() })
          .where(and(eq(chronicleBatch.id, batchId), eq(chronicleBatch.stage, "built")));
        await checkAgain(tx);
      });
    },

    async failed(batchId, failures) {
      await db.update(chronicleBatch).set({ failures }).where(eq(chronicleBatch.id, batchId));
    },

    async unanchored(batchId) {
      await db
        .update(chronicleBatch)
        .set({ stage: "built", txHash: null, blockNumber: null, anchoredAt: null })
        .where(and(eq(chronicleBatch.id, batchId), eq(chronicleBatch.stage, "anchored")));
    },

    async confirmed(batchId) {
      await db
        .update(chronicleBatch)
        .set({ stage: "confirmed", confirmedAt: clock() })
        .where(and(eq(chronicleBatch.id, batchId), eq(chronicleBatch.stage, "anchored")));
    },

    checkAgain: () => checkAgain(db),

    async listUnannounced() {
      const rows = await db
        .select({ id: chronicleBatch.id })
        .from(chronicleBatch)
        .where(and(eq(chronicleBatch.stage, "confirmed"), isNull(chronicleBatch.announcedAt)))
        .orderBy(asc(chronicleBatch.id));
      return rows.map(({ id }) => id);
    },

    announceSome(batchId) {
      return db.transaction(async (tx) => {
        const [batch] = await tx
          .select()
          .from(chronicleBatch)
          .where(eq(chronicleBatch.id, batchId))
          .for("update");
        if (!batch || batch.announcedAt !== null) return false;
        const rows = await tx
          .select({ content: chronicle, state: chronicleState })
          .from(chronicleState)
          .innerJoin(
            chronicle,
            and(
              eq(chronicle.tokenId, chronicleState.tokenId),
              eq(chronicle.chronicleId, chronicleState.chronicleId),
            ),
          )
          .where(
            and(eq(chronicleState.batchId, batchId), gt(chronicleState.seq, batch.announcedSeq)),
          )
          .orderBy(asc(chronicleState.seq))
          .limit(ANNOUNCED_AT_ONCE);
        await events.emitAll(
          tx,
          rows.map((row) => recordedEvent(toRecorded({ ...row, batch }))),
        );
        const last = rows.at(-1);
        const isDone = rows.length < ANNOUNCED_AT_ONCE;
        await tx
          .update(chronicleBatch)
          .set({
            announcedSeq: last?.state.seq,
            announcedAt: isDone ? clock() : undefined,
          })
          .where(eq(chronicleBatch.id, batchId));
        return !isDone;
      });
    },
  };
}

function toBatch(row: Row): ChronicleBatch {
  const { id, stage, leafCount, archiveId, failures } = row;
  return {
    id,
    stage,
    leafCount,
    archiveId,
    failures,
    root: row.root,
    previousRoot: row.previousRoot,
    txHash: row.txHash,
  };
}

function byteaArray(values: readonly Uint8Array[]) {
  return listParameter(
    values.map((bytes) => Buffer.from(bytes)),
    "bytea",
  );
}
