import { bigint, index, text, uuid } from "drizzle-orm/pg-core";
import { app, at, bytea } from "../../platform/database/columns.ts";

/** API keys, by SHA-256 only. A key dies with its seal epoch. */
export const apiKey = app.table(
  "api_key",
  {
    hash: bytea("hash").primaryKey(),
    /** Names the key in lists. */
    id: uuid("id").notNull().defaultRandom().unique(),
    kind: text("kind", { enum: ["live", "provisional"] }).notNull(),
    holder: text("holder", { enum: ["agent", "owner"] })
      .notNull()
      .default("owner"),
    /** The key's last characters; null for keys from before they were kept. */
    hint: text("hint"),
    /** Null for a provisional key before its registration is claimed. */
    tokenId: bigint("token_id", { mode: "bigint" }),
    registrationId: uuid("registration_id"),
    /** Seal epoch the key belongs to; null exactly when tokenId is. */
    epoch: bigint("epoch", { mode: "bigint" }),
    createdAt: at("created_at").notNull(),
    revokedAt: at("revoked_at"),
    /** To the minute; null before the first use. */
    lastUsedAt: at("last_used_at"),
    /** When a provisional key was exchanged: it happens once. */
    exchangedAt: at("exchanged_at"),
  },
  (table) => [
    index("api_key_token_id").on(table.tokenId),
    index("api_key_registration_id").on(table.registrationId),
  ],
);
