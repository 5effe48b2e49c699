import { and, asc, eq, gte, max, or, sql } from "drizzle-orm";
import type { Executor } from "../database/connect.ts";
import { relayerTransaction as table } from "./tables.ts";
import type { SignedTransaction, TransactionStore } from "./transactions.ts";

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
      await db.insert(table).values({
        ...transaction,
        hashes: [...transaction.hashes],
        status: "open",
        createdAt: at,
        updatedAt: at,
      });
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
  };
}
