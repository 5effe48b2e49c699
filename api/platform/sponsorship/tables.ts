import { sql } from "drizzle-orm";
import { bigint, index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { appTable } from "../database/columns.ts";

/**
 * Known accounts may use the whole budget: those that own an agent which they sealed more than
 * seven days ago, or are attested as human. A claim does not make its wallet known.
 */
export const STANDINGS = ["stranger", "known"] as const;

export type Standing = (typeof STANDINGS)[number];

/** Gas that the service has set aside in a UTC day. */
export const gasBudget = appTable(
  "gas_budget",
  {
    kept: { forever: "One small row for each day." },
    rebuiltFrom: null,
    lostWith:
      "The count of gas that was spent on sponsored operations today: today's budget begins again.",
  },
  {
    /** As 2026-01-31. */
    day: text("day").primaryKey(),
    gas: bigint("gas", { mode: "bigint" }).notNull(),
    /** The part of it that was set aside for strangers. */
    strangersGas: bigint("strangers_gas", { mode: "bigint" }).notNull().default(sql`0`),
  },
);

/** The part of a day's gas that was set aside for one network. */
export const gasShare = appTable(
  "gas_share",
  {
    kept: { days: 40, since: "day", written: "YYYY-MM-DD" },
    rebuiltFrom: null,
    lostWith: "How much of today's gas each network has used: today's shares begin again.",
  },
  {
    /** One of `networksOf`. */
    network: text("network").notNull(),
    day: text("day").notNull(),
    /** The part that this standing may use: `known` counts everything, `stranger` what strangers used. */
    standing: text("standing", { enum: STANDINGS }).notNull(),
    gas: bigint("gas", { mode: "bigint" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.day, table.standing] }),
    index("gas_share_day").on(table.day),
  ],
);

/** Registrations of a wallet in a UTC month. */
export const walletQuota = appTable(
  "wallet_quota",
  {
    kept: { days: 70, since: "month", written: "YYYY-MM" },
    rebuiltFrom: null,
    lostWith:
      "How many registrations each wallet was given this month: the month's quotas begin again.",
  },
  {
    wallet: text("wallet").notNull(),
    /** As 2026-01. */
    month: text("month").notNull(),
    registrations: integer("registrations").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.wallet, table.month] }),
    index("wallet_quota_month").on(table.month),
  ],
);

/** What an operation has reserved, so that it is counted once and can be given back. */
export const sponsoredOperation = appTable(
  "sponsored_operation",
  {
    kept: { days: 90, since: "day", written: "YYYY-MM-DD" },
    rebuiltFrom: null,
    lostWith:
      "Gas that is reserved for operations on their way: it is not given back when they end.",
  },
  {
    operationId: text("operation_id").primaryKey(),
    day: text("day").notNull(),
    gas: bigint("gas", { mode: "bigint" }).notNull(),
    /** Null when it counts on no wallet. */
    wallet: text("wallet"),
    month: text("month").notNull(),
    /** The narrowest of `networksOf`. */
    network: text("network").notNull(),
    standing: text("standing", { enum: STANDINGS }).notNull(),
  },
  (table) => [index("sponsored_operation_day").on(table.day)],
);
