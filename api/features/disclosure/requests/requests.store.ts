import { and, count, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { type ListPage, pageOf } from "../../../kernel/list-pages.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import { rowsAfter } from "../../../platform/database/keyset.ts";
import type { SoulEpoch } from "../../../soul/soul-ref.ts";
import type {
  DisclosureContext,
  DisclosureRequest,
  RequestAnswer,
  RequestPosition,
} from "../context.ts";
import { disclosureRequest } from "../tables.ts";

const isOpen = inArray(disclosureRequest.state, ["pending_approval", "partially_fulfilled"]);

const positionOf = ({ createdAt, id }: DisclosureRequest) => ({ createdAt, id });

/** Requests in Postgres. */
export function createRequestStore(db: Database): DisclosureContext["requests"] {
  return {
    async find(id) {
      const [row] = await db.select().from(disclosureRequest).where(eq(disclosureRequest.id, id));
      return row ? toRequest(row) : null;
    },

    async lock(tx, id) {
      const [row] = await tx
        .select()
        .from(disclosureRequest)
        .where(eq(disclosureRequest.id, id))
        .for("update");
      return row ? toRequest(row) : null;
    },

    countOpen,

    async add(tx, request) {
      const { requester, target, requestedFields, given, answer: _none, ...rest } = request;
      await tx.insert(disclosureRequest).values({
        ...rest,
        requestedFields: [...requestedFields],
        given: [...given],
        requesterTokenId: requester.tokenId,
        requesterEpoch: requester.epoch,
        requesterName: requester.name,
        requesterDid: requester.did,
        targetTokenId: target.tokenId,
        targetEpoch: target.epoch,
        targetName: target.name,
        targetDid: target.did,
      });
    },

    async answer(tx, id, answer) {
      await tx
        .update(disclosureRequest)
        .set({
          state: "fulfilled",
          answerMode: answer.mode,
          fulfilledFields: [...answer.fulfilled],
          deniedFields: [...answer.denied],
          disclosureId: answer.disclosureId,
          answerExpiresAt: answer.expiresAt,
          answeredAt: answer.at,
          requesterNotified: answer.requesterNotified,
          attempts: answer.attempts,
        })
        .where(eq(disclosureRequest.id, id));
    },

    async notified(id, attempt, wasTaken) {
      await db
        .update(disclosureRequest)
        .set({ requesterNotified: wasTaken })
        .where(and(eq(disclosureRequest.id, id), eq(disclosureRequest.attempts, attempt)));
    },

    async end(tx, id, state) {
      await tx.update(disclosureRequest).set({ state }).where(eq(disclosureRequest.id, id));
    },

    waiting: (target, at, page) => waiting(db, target, at, page),

    async due(tx, at, limit) {
      const rows = await tx
        .select()
        .from(disclosureRequest)
        .where(and(isOpen, lte(disclosureRequest.expiresAt, at)))
        .orderBy(disclosureRequest.expiresAt)
        .limit(limit)
        .for("update", { skipLocked: true });
      return rows.map(toRequest);
    },
  };
}

async function countOpen(tx: Executor, requester: SoulEpoch, targetTokenId: bigint, at: Date) {
  const lock = `disclosure requests of ${requester.tokenId}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const isOfTarget = eq(disclosureRequest.targetTokenId, targetTokenId);
  const [counts] = await tx
    .select({
      all: sql<number>`count(*)`.mapWith(Number),
      ofTarget: sql<number>`count(*) filter (where ${isOfTarget})`.mapWith(Number),
    })
    .from(disclosureRequest)
    .where(
      and(
        eq(disclosureRequest.requesterTokenId, requester.tokenId),
        eq(disclosureRequest.requesterEpoch, requester.epoch),
        gt(disclosureRequest.expiresAt, at),
        isOpen,
      ),
    );
  return counts ?? { all: 0, ofTarget: 0 };
}

async function waiting(
  db: Executor,
  target: SoulEpoch,
  at: Date,
  { limit, offset, after }: ListPage<RequestPosition>,
) {
  const isWaiting = and(
    eq(disclosureRequest.targetTokenId, target.tokenId),
    eq(disclosureRequest.targetEpoch, target.epoch),
    gt(disclosureRequest.expiresAt, at),
    isOpen,
  );
  const isAfter = rowsAfter(after, "asc", (last) => [
    [disclosureRequest.createdAt, last.createdAt],
    [disclosureRequest.id, last.id],
  ]);
  const [totals, rows] = await Promise.all([
    db.select({ total: count() }).from(disclosureRequest).where(isWaiting),
    db
      .select()
      .from(disclosureRequest)
      .where(and(isWaiting, isAfter))
      .orderBy(disclosureRequest.createdAt, disclosureRequest.id)
      .limit(limit + 1)
      .offset(offset),
  ]);
  const { entries, next } = pageOf(rows.map(toRequest), limit, positionOf);
  return { total: totals[0]?.total ?? 0, requests: entries, next };
}

type Row = typeof disclosureRequest.$inferSelect;

function toRequest(row: Row): DisclosureRequest {
  return {
    id: row.id,
    requester: {
      tokenId: row.requesterTokenId,
      epoch: row.requesterEpoch,
      name: row.requesterName,
      did: row.requesterDid,
    },
    target: {
      tokenId: row.targetTokenId,
      epoch: row.targetEpoch,
      name: row.targetName,
      did: row.targetDid,
    },
    requestedFields: row.requestedFields,
    given: row.given,
    pending: row.pending,
    rejected: row.rejected,
    reason: row.reason,
    freshnessRequired: row.freshnessRequired,
    endpoint: row.endpoint,
    publicKey: row.publicKey,
    webhookSent: row.webhookSent,
    state: row.state,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    answer: toAnswer(row),
  };
}

function toAnswer(row: Row): RequestAnswer | null {
  const { answerMode: mode, answeredAt: at, fulfilledFields, deniedFields } = row;
  if (mode === null || at === null) return null;
  return {
    mode,
    fulfilled: fulfilledFields ?? [],
    denied: deniedFields ?? [],
    disclosureId: row.disclosureId,
    expiresAt: row.answerExpiresAt,
    at,
    requesterNotified: row.requesterNotified,
    attempts: row.attempts,
  };
}
