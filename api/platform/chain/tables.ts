import { bigint, index, numeric, text, unique } from "drizzle-orm/pg-core";
import { app, at } from "../database/columns.ts";

/**
 * Transactions the relayer signed, stored before they are sent, so that a restart sends the same
 * bytes again.
 */
export const relayerTransaction = app.table(
  "relayer_transaction",
  {
    operationId: text("operation_id").primaryKey(),
    sender: text("sender").notNull(),
    nonce: bigint("nonce", { mode: "bigint" }).notNull(),
    /** Signed transaction as last sent. */
    raw: text("raw").notNull(),
    /** Hashes of every version sent, newest last: any of them may be mined. */
    hashes: text("hashes").array().notNull(),
    status: text("status", { enum: ["open", "mined", "reverted"] }).notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    gasLimit: bigint("gas_limit", { mode: "bigint" }).notNull(),
    gasUsed: bigint("gas_used", { mode: "bigint" }),
    maxFeePerGas: numeric("max_fee_per_gas", { precision: 78, scale: 0 }).notNull(),
    maxPriorityFeePerGas: numeric("max_priority_fee_per_gas", {
      precision: 78,
      scale: 0,
    }).notNull(),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    unique("relayer_transaction_sender_nonce").on(table.sender, table.nonce),
    index("relayer_transaction_status").on(table.status),
  ],
);
