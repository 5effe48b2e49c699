import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { app, at } from "../../platform/database/columns.ts";

// No value of a field is in any of these tables: only the names of fields.

/** Policies of agents, by seal epoch. Of each epoch at most one is active. */
export const disclosurePolicy = app.table(
  "disclosure_policy",
  {
    id: uuid("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    name: text("name").notNull(),
    policy: jsonb("policy").notNull(),
    createdAt: at("created_at").notNull(),
    /** When it was replaced or deactivated; null while it is active. */
    endedAt: at("ended_at"),
  },
  (table) => [
    index("disclosure_policy_agent").on(table.tokenId, table.epoch, table.createdAt),
    uniqueIndex("disclosure_policy_active")
      .on(table.tokenId, table.epoch)
      .where(sql`ended_at is null`),
  ],
);
