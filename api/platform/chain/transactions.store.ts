import { and, asc, count, eq, gte, inArray, max, min, or, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Executor } from "../database/connect.ts";
import { currentTrace } from "../tracing/spans.ts";
import { relayerTransaction as table } from "./tables.ts";
import { OtherSenderError, type SignedTransaction, type TransactionStore } from "./transactions.ts";

/** The relayer's transactions, in Postgres. */
export function relayerTransactionStore(db: Executor): TransactionStore {
  return {
    async find(operationId) {
      const [row] = await db.select().from(table).where(eq(table.operationId, operationId));
      return row ? fromRow(row) : null;
    },

    async listUnsettled(sender, nonce) {
      const rows = await db
        .select()
        .from(table)
        .where(and(eq(table.sender, sender), or(eq(table.status, "open"), gte(table.nonce, nonce))))
        .orderBy(asc(table.nonce));
      return rows.map(fromRow);
    },

    async highestNonce(sender) {
      const [row] = await db
        .select({ nonce: max(table.nonce) })
        .from(table)
        .where(eq(table.sender, sender));
      return row?.nonce ?? null;
    },

    async insert(transaction, at) {
      const inserted = await db
        .insert(table)
        .values({
          ...transaction,
          hashes: [...transaction.hashes],
          traceparent: currentTrace(),
          status: "open",
          createdAt: at,
          updatedAt: at,
        })
        .onConflictDoNothing({ target: table.operationId })
        .returning({ operationId: table.operationId });
      if (inserted.length === 0) throw new OtherSenderError(transaction.operationId);
    },

    async addVersion(operationId, { raw, hash, maxFeePerGas, maxPriorityFeePerGas }, at) {
      await db
        .update(table)
        .set({
          raw,
          hashes: sql`array_append(${table.hashes}, ${hash})`,
          maxFeePerGas,
          maxPriorityFeePerGas,
          updatedAt: at,
        })
        .where(eq(table.operationId, operationId));
    },

    async settle(operationId, { status, blockNumber, gasUsed }, at) {
      await db
        .update(table)
        .set({ status, blockNumber, gasUsed, updatedAt: at })
        .where(eq(table.operationId, operationId));
    },

    async remove(operationId) {
      await db.delete(table).where(eq(table.operationId, operationId));
    },
  };
}

/** Transactions of `senders` that are not known to be mined, and the time since the oldest was signed. */
export async function openTransactions(
  db: Executor,
  senders: readonly Address[],
  now: Date,
): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const [row] = await db
    .select({ count: count(), oldest: min(table.createdAt) })
    .from(table)
    .where(and(inArray(table.sender, [...senders]), eq(table.status, "open")));
  const since = row?.oldest ?? now;
  return {
    count: row?.count ?? 0,
    oldestSeconds: Math.max(0, (now.getTime() - since.getTime()) / 1000),
  };
}

function fromRow(row: typeof table.$inferSelect): SignedTransaction {
  return {
    operationId: row.operationId,
    sender: row.sender,
    nonce: row.nonce,
    raw: row.raw,
    hashes: row.hashes,
    gasLimit: row.gasLimit,
    maxFeePerGas: row.maxFeePerGas,
    maxPriorityFeePerGas: row.maxPriorityFeePerGas,
    traceparent: row.traceparent,
  };
}
