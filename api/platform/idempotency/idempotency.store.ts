import { and, eq, gt, lte, or, sql } from "drizzle-orm";
import type { Executor } from "../database/connect.ts";
import type { IdempotencyStore } from "./idempotency.ts";
import { idempotency } from "./tables.ts";

/** Requests under an Idempotency-Key, in Postgres. */
export function idempotencyStore(db: Executor): IdempotencyStore {
  const held = (keyHash: Buffer, leaseId: string) =>
    and(
      eq(idempotency.keyHash, keyHash),
      eq(idempotency.leaseId, leaseId),
      eq(idempotency.state, "in_flight"),
    );

  return {
    async claim({ keyHash, bodyHash, operationId, leaseId, at, lockedUntil, expiresAt }) {
      const expired = lte(idempotency.expiresAt, at);
      /** A row taken over after a crash keeps what it stands for; an expired one is replaced whole. */
      const ifExpired = (column: string) =>
        sql`case when ${expired} then excluded.${sql.identifier(column)} else ${idempotency}.${sql.identifier(column)} end`;
      const [row] = await db
        .insert(idempotency)
        .values({
          keyHash,
          bodyHash,
          state: "in_flight",
          operationId,
          leaseId,
          lockedUntil,
          createdAt: at,
          expiresAt,
        })
        .onConflictDoUpdate({
          target: idempotency.keyHash,
          set: {
            bodyHash: ifExpired("body_hash"),
            operationId: ifExpired("operation_id"),
            createdAt: ifExpired("created_at"),
            expiresAt: ifExpired("expires_at"),
            state: "in_flight",
            status: null,
            answerEncrypted: null,
            leaseId,
            lockedUntil,
          },
          setWhere: or(
            expired,
            and(
              eq(idempotency.state, "in_flight"),
              lte(idempotency.lockedUntil, at),
              eq(idempotency.bodyHash, bodyHash),
            ),
          ) as ReturnType<typeof sql>,
        })
        .returning({ operationId: idempotency.operationId });
      return row?.operationId ?? null;
    },

    async find(keyHash, at) {
      const [row] = await db
        .select({
          bodyHash: idempotency.bodyHash,
          state: idempotency.state,
          operationId: idempotency.operationId,
          lockedUntil: idempotency.lockedUntil,
          answerEncrypted: idempotency.answerEncrypted,
        })
        .from(idempotency)
        .where(and(eq(idempotency.keyHash, keyHash), gt(idempotency.expiresAt, at)));
      return row ?? null;
    },

    async finish(keyHash, leaseId, status, answerEncrypted) {
      await db
        .update(idempotency)
        .set({ state: "done", status, answerEncrypted })
        .where(held(keyHash, leaseId));
    },

    async forget(keyHash, leaseId) {
      await db.delete(idempotency).where(held(keyHash, leaseId));
    },

    async release(keyHash, leaseId, at) {
      await db.update(idempotency).set({ lockedUntil: at }).where(held(keyHash, leaseId));
    },

    async deleteExpired(at) {
      const gone = await db
        .delete(idempotency)
        .where(lte(idempotency.expiresAt, at))
        .returning({ keyHash: idempotency.keyHash });
      return gone.length;
    },
  };
}
