import { bigint, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { app } from "./columns.ts";

/** Gas that the service has set aside in a UTC day. */
export const gasBudget = app.table("gas_budget", {
  /** As 2026-01-31. */
  day: text("day").primaryKey(),
  gas: bigint("gas", { mode: "bigint" }).notNull(),
});

/** Registrations of a wallet in a UTC month. */
export const walletQuota = app.table(
  "wallet_quota",
  {
    wallet: text("wallet").notNull(),
    /** As 2026-01. */
    month: text("month").notNull(),
    registrations: integer("registrations").notNull(),
  },
  (table) => [primaryKey({ columns: [table.wallet, table.month] })],
);

/** What an operation has reserved, so that it is counted once and can be given back. */
export const sponsoredOperation = app.table("sponsored_operation", {
  operationId: text("operation_id").primaryKey(),
  day: text("day").notNull(),
  gas: bigint("gas", { mode: "bigint" }).notNull(),
  /** Null when it counts on no wallet. */
  wallet: text("wallet"),
  month: text("month").notNull(),
});
