import { index, text, timestamp } from "drizzle-orm/pg-core";
import { app } from "../../platform/database/columns.ts";

/** Access tokens that were revoked before they expired, by `jti`. A row is of no use once its token has expired. */
export const revokedToken = app.table(
  "revoked_token",
  {
    jti: text("jti").primaryKey(),
    expiresAt: timestamp("expires_at", { withTimezone: true, mode: "date" }).notNull(),
  },
  (table) => [index("revoked_token_expires_at").on(table.expiresAt)],
);
