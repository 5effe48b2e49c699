import { onchainTable } from "ponder";

export const event = onchainTable("event", (t) => ({
  id: t.text().primaryKey(),
  name: t.text().notNull(),
  block: t.bigint().notNull(),
  timestamp: t.bigint().notNull(),
  tx: t.hex().notNull(),
  logIndex: t.integer().notNull(),
}));
