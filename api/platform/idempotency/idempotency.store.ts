import { and, eq, gt, lte, or, sql } from "drizzle-orm";
import type { Executor } from "../database/connect.ts";
import { idempotency } from "./tables.ts";

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

/** Requests under an Idempotency-Key, in Postgres. Every method is one atomic statement. */
export function idempotencyStore(db: Executor) {
  const held = (keyHash: Buffer, leaseId: string) =>
    and(
      eq(idempotency.keyHash, keyHash),
      eq(idempotency.leaseId, leaseId),
      eq(idempotency.state, "in_flight"),
    );

  return {
    claim: (request: IdempotencyClaim) => claim(db, request),

    /** The row as it is, unless expired. A request in flight may run again from `lockedUntil` on. */
    async find(keyHash: Buffer, at: Date) {
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

    // Each of these does nothing when the lease is no longer held.
    async finish(keyHash: Buffer, leaseId: string, status: number, answerEncrypted: Buffer) {
      await db
        .update(idempotency)
        .set({ state: "done", status, answerEncrypted })
        .where(held(keyHash, leaseId));
    },
    async forget(keyHash: Buffer, leaseId: string) {
      await db.delete(idempotency).where(held(keyHash, leaseId));
    },
    async release(keyHash: Buffer, leaseId: string, at: Date) {
      await db.update(idempotency).set({ lockedUntil: at }).where(held(keyHash, leaseId));
    },

    /** Resolves to the number of rows removed. */
    async deleteExpired(at: Date) {
      const gone = await db
        .delete(idempotency)
        .where(lte(idempotency.expiresAt, at))
        .returning({ keyHash: idempotency.keyHash });
      return gone.length;
    },
  };
}

/** A request that asks for its row. Its `operationId` is used when the row is new; a row taken over keeps its own. */
type IdempotencyClaim = Pick<
  typeof idempotency.$inferSelect,
  "keyHash" | "bodyHash" | "operationId" | "leaseId" | "lockedUntil" | "expiresAt"
> & { readonly at: Date };

/**
 * Takes the row when it does not exist, has expired, or is in flight with the same body and a
 * lapsed lease. Resolves to the operation's id when taken, else null.
 */
async function claim(db: Executor, { at, ...request }: IdempotencyClaim): Promise<string | null> {
  const { bodyHash, leaseId, lockedUntil } = request;
  const expired = lte(idempotency.expiresAt, at);
  /** A row taken over after a crash keeps what it stands for; an expired one is replaced whole. */
  const ifExpired = (column: string) =>
    sql`case when ${expired} then excluded.${sql.identifier(column)} else ${idempotency}.${sql.identifier(column)} end`;
  const [row] = await db
    .insert(idempotency)
    .values({ ...request, state: "in_flight", createdAt: at })
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
}
