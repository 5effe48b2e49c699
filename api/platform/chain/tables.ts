import { bigint, index, text, unique } from "drizzle-orm/pg-core";
import { address, appTable, at, hex, uint256 } from "../database/columns.ts";

/**
 * Transactions the relayer signed, stored before they are sent, so that a restart sends the same
 * bytes again.
 */
export const relayerTransaction = appTable(
  "relayer_transaction",
  {
    kept: {
      forever:
        "A repeated operation finds its transaction here, so that it is sent once. The newest row holds the next nonce.",
    },
    rebuiltFrom: null,
    lostWith:
      "Transactions that are signed and not mined: what is still in the node's pool can be mined, and nothing sends it again.",
  },
  {
    operationId: text("operation_id").primaryKey(),
    sender: address("sender").notNull(),
    nonce: bigint("nonce", { mode: "number" }).notNull(),
    /** Signed transaction as last sent. */
    raw: hex("raw").notNull(),
    /** Hashes of every version sent, newest last: any of them may be mined. */
    hashes: hex("hashes").array().notNull(),
    status: text("status", { enum: ["open", "mined", "reverted"] }).notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    gasLimit: bigint("gas_limit", { mode: "bigint" }).notNull(),
    gasUsed: bigint("gas_used", { mode: "bigint" }),
    maxFeePerGas: uint256("max_fee_per_gas").notNull(),
    maxPriorityFeePerGas: uint256("max_priority_fee_per_gas").notNull(),
    /** The trace that it is a part of, in the form of W3C Trace Context. */
    traceparent: text("traceparent"),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    unique("relayer_transaction_sender_nonce").on(table.sender, table.nonce),
    index("relayer_transaction_status").on(table.status),
  ],
);
