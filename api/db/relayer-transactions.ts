import { and, asc, eq } from "drizzle-orm";
import type { Address } from "viem";
import type { RelayedTransaction, RelayerStore } from "../chain/relayer.ts";
import type { Database } from "./connect.ts";
import { relayerTransaction } from "./schema.ts";

/** Signed transactions in Postgres. */
export function relayerTransactionStore(db: Database): RelayerStore {
  return {
    async find(operationId) {
      const [row] = await db
        .select()
        .from(relayerTransaction)
        .where(eq(relayerTransaction.operationId, operationId));
      return row ? toTransaction(row) : null;
    },

    async listOpen(sender) {
      const rows = await db
        .select()
        .from(relayerTransaction)
        .where(and(eq(relayerTransaction.sender, sender), eq(relayerTransaction.status, "open")))
        .orderBy(asc(relayerTransaction.nonce));
      return rows.map(toTransaction);
    },

    async insert(transaction, at) {
      await db
        .insert(relayerTransaction)
        .values({ ...toRow(transaction), createdAt: at, updatedAt: at });
    },

    async update(transaction, at) {
      await db
        .update(relayerTransaction)
        .set({ ...toRow(transaction), updatedAt: at })
        .where(eq(relayerTransaction.operationId, transaction.operationId));
    },
  };
}

function toRow(transaction: RelayedTransaction) {
  return {
    ...transaction,
    hashes: [...transaction.hashes],
    maxFeePerGas: transaction.maxFeePerGas.toString(),
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas.toString(),
  };
}

function toTransaction(row: typeof relayerTransaction.$inferSelect): RelayedTransaction {
  return {
    operationId: row.operationId,
    sender: row.sender as Address,
    nonce: row.nonce,
    raw: row.raw as RelayedTransaction["raw"],
    hashes: row.hashes as RelayedTransaction["hashes"],
    status: row.status,
    blockNumber: row.blockNumber,
    gasLimit: row.gasLimit,
    gasUsed: row.gasUsed,
    maxFeePerGas: BigInt(row.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(row.maxPriorityFeePerGas),
  };
}
