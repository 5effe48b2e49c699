import { bigint, index, integer, text, uuid } from "drizzle-orm/pg-core";
import { appTable, at } from "../../platform/database/columns.ts";

/** Emergency stops, and how much each ended. Rows are never deleted. */
export const emergencyStop = appTable(
  "emergency_stop",
  {
    kept: { forever: "They are the record of what an owner ended, and when." },
    rebuiltFrom: null,
    lostWith:
      "The history of emergency stops. The keys that they revoked are lost with their own table.",
  },
  {
    id: uuid("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    /** Seal epoch of the agent at the stop. */
    epoch: integer("epoch").notNull(),
    /** What the owner proved itself with. */
    authority: text("authority", { enum: ["session", "signature"] }).notNull(),
    stoppedAt: at("stopped_at").notNull(),
    apiKeys: integer("api_keys").notNull(),
    sessions: integer("sessions").notNull(),
    webhooks: integer("webhooks").notNull(),
  },
  (table) => [index("emergency_stop_token_id").on(table.tokenId)],
);
