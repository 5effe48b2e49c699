import { and, asc, desc, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { listParameter } from "../../../platform/database/array-parameter.ts";
import type { Executor } from "../../../platform/database/connect.ts";
import {
  type ChronicleStoreOptions,
  isItsState,
  recordedEvent,
  toRecorded,
} from "../chronicles.store.ts";
import { CHRONICLE_JOBS } from "../job-names.ts";
import { chronicle, chronicleBatch, chronicleState } from "../tables.ts";
import type { BatchMember, BatchStore, BuiltBatch, BuiltMembers } from "./batches.ts";

/** Members that one statement reads, and that one writes. */
const READ_AT_ONCE = 2_000;
const WRITTEN_AT_ONCE = 1_000;
/** Members whose webhooks are looked for in one transaction, and events that it writes at most. */
const LOOKED_AT = 5_000;
const ANNOUNCED_AT_ONCE = 200;
/** Until a batch that was mined is checked again, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** Batches in Postgres. */
export function createBatchStore({ db, jobs, events, clock }: ChronicleStoreOptions): BatchStore {
  const checkAgain = (tx: Executor) =>
    jobs.send(
      tx,
      CHRONICLE_JOBS.follow,
      {},
      { startAfter: new Date(clock().getTime() + LOOK_AGAIN_MS), singletonKey: "unconfirmed" },
    );

  return {
    async listUnconfirmed() {
      return db
        .select()
        .from(chronicleBatch)
        .where(ne(chronicleBatch.stage, "confirmed"))
        .orderBy(asc(chronicleBatch.id));
    },

    async last() {
      const [row] = await db
        .select()
        .from(chronicleBatch)
        .orderBy(desc(chronicleBatch.id))
        .limit(1);
      return row ?? null;
    },

    members: (id, isOpen, maxLeaves) => members(db, isMember(id, isOpen), maxLeaves),

    async add(id, isOpen, batch, members) {
      try {
        return await db.transaction((tx) => addBatch(tx, id, isOpen, batch, members, clock()));
      } catch (error) {
        if (error instanceof TakenError) return null;
        throw error;
      }
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

    announceSome: (batchId) => db.transaction((tx) => announceSome(tx, events, batchId, clock())),
  };
}

async function* members(db: Executor, which: SQL | undefined, maxLeaves: number) {
  let [after, left] = [0n, maxLeaves];
  while (left > 0) {
    const limit = Math.min(left, READ_AT_ONCE);
    const rows = await db
      .select({
        seq: chronicleState.seq,
        tokenId: chronicleState.tokenId,
        chronicleId: chronicleState.chronicleId,
        leaf: sql<Hex>`'0x' || encode(${chronicleState.leaf}, 'hex')`,
        archiveId: chronicle.archiveId,
      })
      .from(chronicleState)
      .innerJoin(chronicle, isItsState)
      .where(and(which, gt(chronicleState.seq, after)))
      .orderBy(asc(chronicleState.seq))
      .limit(limit);
    yield rows satisfies readonly BatchMember[];
    if (rows.length < limit) return;
    after = rows.at(-1)?.seq ?? after;
    left -= rows.length;
  }
}

/** @throws TakenError */
async function addBatch(
  tx: Executor,
  id: bigint,
  isOpen: boolean,
  batch: BuiltBatch,
  { seqs, proofOf }: BuiltMembers,
  createdAt: Date,
) {
  const built = { ...batch, stage: "built" as const, leafCount: seqs.length };
  // The number is unique: of two processes, the second one writes nothing.
  const [row] = await tx
    .insert(chronicleBatch)
    .values({ ...built, id, createdAt })
    .onConflictDoUpdate({
      target: chronicleBatch.id,
      set: built,
      setWhere: eq(chronicleBatch.stage, "open"),
    })
    .returning();
  if (!row) throw new TakenError();
  for (let from = 0; from < seqs.length; from += WRITTEN_AT_ONCE) {
    const some = seqs.slice(from, from + WRITTEN_AT_ONCE);
    const proofs = some.map((_, index) => Buffer.from(proofOf(from + index)));
    const { rowCount } = await tx.execute(sql`
      update ${chronicleState} set batch_id = ${id}, proof = given.proof
      from unnest(${listParameter(some, "bigint")}, ${listParameter(proofs, "bytea")})
        as given (seq, proof)
      where ${chronicleState.seq} = given.seq and ${isMember(id, isOpen)}`);
    if (rowCount !== some.length) throw new TakenError();
  }
  return row;
}

async function announceSome(
  tx: Executor,
  events: ChronicleStoreOptions["events"],
  batchId: bigint,
  now: Date,
): Promise<boolean> {
  const [batch] = await tx
    .select()
    .from(chronicleBatch)
    .where(eq(chronicleBatch.id, batchId))
    .for("update");
  if (!batch || batch.announcedAt !== null) return false;
  const members = await tx
    .select({ seq: chronicleState.seq, tokenId: chronicleState.tokenId })
    .from(chronicleState)
    .where(and(eq(chronicleState.batchId, batchId), gt(chronicleState.seq, batch.announcedSeq)))
    .orderBy(asc(chronicleState.seq))
    .limit(LOOKED_AT);
  const tokenIds = [...new Set(members.map(({ tokenId }) => tokenId))];
  const receivers = await events.receivers(tx, "chronicle.recorded", tokenIds);
  const received = members.filter(({ tokenId }) => receivers.has(tokenId));
  const announced = received.slice(0, ANNOUNCED_AT_ONCE);
  if (announced.length > 0) {
    const rows = await tx
      .select({ content: chronicle, state: chronicleState })
      .from(chronicleState)
      .innerJoin(chronicle, isItsState)
      .where(
        and(
          eq(chronicleState.batchId, batchId),
          sql`${chronicleState.seq} = any(${listParameter(
            announced.map(({ seq }) => seq),
            "bigint",
          )})`,
        ),
      )
      .orderBy(asc(chronicleState.seq));
    await events.emitAll(
      tx,
      rows.map((row) => recordedEvent(toRecorded({ ...row, batch }))),
    );
  }
  const hasMore = announced.length < received.length;
  const last = hasMore ? announced.at(-1) : members.at(-1);
  const isDone = !hasMore && members.length < LOOKED_AT;
  await tx
    .update(chronicleBatch)
    .set({ announcedSeq: last?.seq, announcedAt: isDone ? now : undefined })
    .where(eq(chronicleBatch.id, batchId));
  return !isDone;
}

/** Another process built the batch, or took one of its members. */
class TakenError extends Error {}

/** Members of an open batch, or what is queued. */
const isMember = (id: bigint, isOpen: boolean) =>
  isOpen
    ? eq(chronicleState.batchId, id)
    : and(isNull(chronicleState.batchId), isNull(chronicleState.txHash));
