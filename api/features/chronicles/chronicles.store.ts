import { and, count, desc, eq, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { bytesToHex, type Hex, hexToBytes, isAddressEqual, zeroAddress } from "viem";
import { type ListPage, pageOf } from "../../kernel/list-pages.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import { soulSecret } from "../../soul/tables.ts";
import type { BatchEventSink } from "../webhooks/index.ts";
import type {
  ChronicleFilter,
  ChronicleInclusion,
  ChroniclePage,
  ChroniclePosition,
  ChronicleStatus,
  ChronicleStore,
  RecordedChronicle,
} from "./chronicles.ts";
import { batchDue, leafOf } from "./chronicles.ts";
import type { CompleteOperatorChange } from "./content.ts";
import type { DailyLimit } from "./daily-limit.ts";
import type { ChronicleEntry, RevisedSecrets } from "./entries.ts";
import type { RecordedChange } from "./evolutions.ts";
import { CHRONICLE_JOBS } from "./job-names.ts";
import { chronicle, chronicleBatch, chronicleCounter, chronicleState } from "./tables.ts";

export interface ChronicleStoreOptions {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly events: BatchEventSink;
  readonly clock: () => Date;
}

/** Columns that count each kind of chronicle. */
const COUNTED = {
  ordinary: { day: chronicleCounter.day, dayCount: chronicleCounter.dayCount },
  mandatory: {
    day: chronicleCounter.mandatoryDay,
    dayCount: chronicleCounter.mandatoryDayCount,
  },
} as const;

/** Whether a row of `chronicle_state` is that of the chronicle. */
export const isItsState = and(
  eq(chronicleState.tokenId, chronicle.tokenId),
  eq(chronicleState.chronicleId, chronicle.chronicleId),
);

/** Chronicles in Postgres. What is queued is queued together with the job that batches it. */
export function createChronicleStore({
  db,
  jobs,
  events,
  clock,
}: ChronicleStoreOptions): ChronicleStore {
  const enqueue = (tx: Executor, at: Date) =>
    jobs.send(tx, CHRONICLE_JOBS.batch, {}, { startAfter: at, singletonKey: at.toISOString() });

  return {
    async hasRoom(tokenId, { kind, max, day }) {
      const [row] = await db
        .select(COUNTED[kind])
        .from(chronicleCounter)
        .where(eq(chronicleCounter.tokenId, tokenId));
      return !row || row.day !== day || row.dayCount < max;
    },

    async append(entry, limit, leafOf, due) {
      try {
        return await db.transaction(async (tx) => {
          const same = await one(tx, eq(chronicle.operationKey, entry.operationKey));
          if (same) return same;
          if (limit && !(await takeRoom(tx, entry.tokenId, limit))) return null;
          const chronicleId = await insert(tx, entry, leafOf, null);
          await enqueue(tx, due.at);
          return one(tx, byId(entry.tokenId, chronicleId));
        });
      } catch (error) {
        if (violated(error) !== "chronicle_operation_key_unique") throw error;
        return one(db, eq(chronicle.operationKey, entry.operationKey));
      }
    },

    takeRoom,

    async returnRoom(tx, tokenId, { kind, day }) {
      const { day: countedDay, dayCount } = COUNTED[kind];
      const lowered = sql`greatest(${dayCount} - 1, 0)`;
      await tx
        .update(chronicleCounter)
        .set(kind === "ordinary" ? { dayCount: lowered } : { mandatoryDayCount: lowered })
        .where(and(eq(chronicleCounter.tokenId, tokenId), eq(countedDay, day)));
    },

    async addQueued(tx, entry) {
      await insert(tx, entry, leafOf(entry), null);
      await enqueue(tx, batchDue(entry.recordedAt).at);
    },

    async addChange(tx, { id, entry, effect, txHash, secrets, agent }) {
      const { tokenId } = entry;
      const isImmediate = effect.kind === "soul_revision";
      const chronicleId = await insert(tx, entry, leafOf(entry), isImmediate ? txHash : null);
      if (secrets) await replaceSecrets(tx, entry, secrets);
      if (isImmediate) {
        const added = await one(tx, byId(tokenId, chronicleId));
        if (!added) throw new Error("A chronicle that was just added is not there.");
        await events.emit(tx, recordedEvent(added));
        return;
      }
      await enqueue(tx, batchDue(clock()).at);
      await events.emit(tx, operatorChanged({ id, effect, txHash, agent }, tokenId, clock()));
    },

    findSigned: (signer, nonce) =>
      one(db, and(eq(chronicle.signer, signer), eq(chronicle.nonce, nonce))),

    find: (tokenId, chronicleId) => one(db, byId(tokenId, chronicleId)),

    inclusion: (tokenId, chronicleId) => inclusion(db, tokenId, chronicleId),
    list: (tokenId, filter, page) => list(db, tokenId, filter, page),
  };
}

const recorded = (from: Executor, which: SQL | undefined) =>
  from
    .select({ content: chronicle, state: chronicleState, batch: chronicleBatch })
    .from(chronicle)
    .innerJoin(chronicleState, isItsState)
    .leftJoin(chronicleBatch, eq(chronicleBatch.id, chronicleState.batchId))
    .where(which);

async function one(from: Executor, which: SQL | undefined): Promise<RecordedChronicle | null> {
  const [row] = await recorded(from, which);
  return row ? toRecorded(row) : null;
}

const byId = (tokenId: bigint, chronicleId: bigint) =>
  and(eq(chronicle.tokenId, tokenId), eq(chronicle.chronicleId, chronicleId));

/** Adds the two rows of a chronicle under the agent's next id, which the counter's row lock makes unique and without a gap. */
async function insert(
  tx: Executor,
  entry: ChronicleEntry,
  leafOf: (chronicleId: bigint) => Hex,
  txHash: Hex | null,
): Promise<bigint> {
  const [next] = await tx
    .insert(chronicleCounter)
    .values({ tokenId: entry.tokenId, lastId: 1n, day: "", dayCount: 0 })
    .onConflictDoUpdate({
      target: chronicleCounter.tokenId,
      set: { lastId: sql`${chronicleCounter.lastId} + 1` },
    })
    .returning({ chronicleId: chronicleCounter.lastId });
  if (!next) throw new Error("An upsert returned nothing.");
  const { chronicleId } = next;
  const leaf = Buffer.from(hexToBytes(leafOf(chronicleId)));
  const { evidence, ...fields } = entry;
  await tx.insert(chronicle).values({
    ...fields,
    chronicleId,
    leaf,
    ...(evidence && {
      signer: evidence.signer,
      nonce: evidence.message.nonce,
      message: evidence.message,
      signature: evidence.signature,
    }),
  });
  await tx
    .insert(chronicleState)
    .values({ tokenId: entry.tokenId, chronicleId, leaf, ...(txHash && { txHash }) });
  return chronicleId;
}

/** Counts one chronicle on the day; false when the limit is reached. */
async function takeRoom(tx: Executor, tokenId: bigint, limit: DailyLimit): Promise<boolean> {
  const { day, dayCount } = COUNTED[limit.kind];
  const isOrdinary = limit.kind === "ordinary";
  const raised = sql`case when ${day} = ${limit.day} then ${dayCount} + 1 else 1 end`;
  const updated = await tx
    .insert(chronicleCounter)
    .values({
      tokenId,
      lastId: 0n,
      day: isOrdinary ? limit.day : "",
      dayCount: isOrdinary ? 1 : 0,
      mandatoryDay: isOrdinary ? "" : limit.day,
      mandatoryDayCount: isOrdinary ? 0 : 1,
    })
    .onConflictDoUpdate({
      target: chronicleCounter.tokenId,
      set: isOrdinary
        ? { day: limit.day, dayCount: raised }
        : { mandatoryDay: limit.day, mandatoryDayCount: raised },
      setWhere: or(ne(day, limit.day), lt(dayCount, limit.max)) as SQL,
    })
    .returning({ tokenId: chronicleCounter.tokenId });
  return updated.length > 0;
}

async function replaceSecrets(
  tx: Executor,
  { tokenId, epoch }: ChronicleEntry,
  secrets: RevisedSecrets,
): Promise<void> {
  await tx
    .insert(soulSecret)
    .values({ tokenId, epoch, ...secrets })
    .onConflictDoUpdate({
      target: [soulSecret.tokenId, soulSecret.epoch],
      set: { ...secrets, publicFields: null },
    });
}

async function inclusion(
  db: Executor,
  tokenId: bigint,
  chronicleId: bigint,
): Promise<ChronicleInclusion | null> {
  const [row] = await db
    .select({
      proof: chronicleState.proof,
      root: chronicleBatch.root,
      archiveId: chronicleBatch.archiveId,
    })
    .from(chronicleState)
    .innerJoin(chronicleBatch, eq(chronicleBatch.id, chronicleState.batchId))
    .where(and(eq(chronicleState.tokenId, tokenId), eq(chronicleState.chronicleId, chronicleId)));
  if (!row?.proof || row.root === null || row.archiveId === null) return null;
  return {
    merkleProof: hashesOf(row.proof),
    root: row.root,
    leavesArchiveId: row.archiveId,
  };
}

async function list(
  db: Executor,
  tokenId: bigint,
  filter: ChronicleFilter,
  { limit, offset, after }: ListPage<ChroniclePosition>,
): Promise<ChroniclePage> {
  const which = and(
    eq(chronicle.tokenId, tokenId),
    filter.category === undefined ? undefined : eq(chronicle.category, filter.category),
    filter.changeType === undefined ? undefined : eq(chronicle.changeType, filter.changeType),
  );
  const isAfter = after ? lt(chronicle.chronicleId, after.chronicleId) : undefined;
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(chronicle).where(which),
    recorded(db, and(which, isAfter))
      .orderBy(desc(chronicle.chronicleId))
      .limit(limit + 1)
      .offset(offset),
  ]);
  const { entries, next } = pageOf(rows.map(toRecorded), limit, positionOf);
  return { total: counted?.total ?? 0, chronicles: entries, next };
}

const positionOf = ({ chronicleId }: RecordedChronicle) => ({ chronicleId });

/** The event for webhooks once an agent has another operator. */
function operatorChanged(
  {
    id,
    effect,
    txHash,
    agent,
  }: Pick<RecordedChange, "id" | "txHash" | "agent"> & {
    readonly effect: CompleteOperatorChange;
  },
  tokenId: bigint,
  at: Date,
) {
  return {
    event: "embodiment.updated",
    tokenId,
    registrationId: null,
    key: `operator-change:${id}`,
    data: {
      tokenId: Number(tokenId),
      agentName: agent.name,
      change: "operator",
      operator: isAddressEqual(effect.operator, zeroAddress) ? null : effect.operator,
      did: agent.did,
      txHash,
      updatedAt: at.toISOString(),
    },
  } as const;
}

/** The event for webhooks once a chronicle is confirmed. */
export function recordedEvent(chronicle: RecordedChronicle) {
  return {
    event: "chronicle.recorded",
    tokenId: chronicle.tokenId,
    registrationId: null,
    key: `chronicle:${chronicle.tokenId}:${chronicle.chronicleId}`,
    data: {
      tokenId: Number(chronicle.tokenId),
      chronicleId: Number(chronicle.chronicleId),
      category: chronicle.category,
      changeType: chronicle.changeType,
      contentHash: chronicle.contentHash,
      chronicleHash: chronicle.leaf,
      arweaveTxId: chronicle.archiveId,
      batchId: chronicle.batchId === null ? null : Number(chronicle.batchId),
      txHash: chronicle.txHash,
      recordedAt: chronicle.recordedAt.toISOString(),
    },
  } as const;
}

interface Row {
  readonly content: typeof chronicle.$inferSelect;
  readonly state: Pick<typeof chronicleState.$inferSelect, "batchId" | "txHash">;
  readonly batch: Pick<typeof chronicleBatch.$inferSelect, "stage" | "txHash"> | null;
}

/** A chronicle from its rows. */
export function toRecorded({ content, state, batch }: Row): RecordedChronicle {
  const anchored = batch?.stage === "anchored" || batch?.stage === "confirmed";
  let status: ChronicleStatus = anchored ? "batched" : "queued";
  if (state.txHash !== null || batch?.stage === "confirmed") status = "confirmed";
  const { leaf, signer, nonce: _nonce, message, signature, ...entry } = content;
  const isSigned = signer !== null && message !== null && signature !== null;
  return {
    ...entry,
    evidence: isSigned ? { signer, message, signature } : null,
    leaf: bytesToHex(leaf),
    status,
    // A batch that is not mined yet may still fail, so it is not reported.
    batchId: anchored ? state.batchId : null,
    txHash: state.txHash ?? (anchored ? batch.txHash : null),
  };
}

/** A stored proof as its hashes. */
export function hashesOf(proof: Buffer): Hex[] {
  return Array.from({ length: proof.length / 32 }, (_, index) =>
    bytesToHex(proof.subarray(index * 32, (index + 1) * 32)),
  );
}

/** The unique constraint that a statement ran into. */
function violated(error: unknown): string | null {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === "23505" && typeof constraint === "string" ? constraint : null;
}
