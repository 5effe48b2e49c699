import { bigint, index, integer, text, uuid } from "drizzle-orm/pg-core";
import { API_KEY_KINDS } from "../../kernel/api-keys.ts";
import { appTable, at, bytea } from "../../platform/database/columns.ts";

/** API keys, by SHA-256 only. A key dies with its seal epoch. */
export const apiKey = appTable(
  "api_key",
  {
    kept: { forever: "Owners see which keys existed, and when each was revoked." },
    rebuiltFrom: null,
    lostWith: "All API keys: none is valid any more, and owners issue new ones.",
  },
  {
    hash: bytea("hash").primaryKey(),
    /** Names the key in lists. */
    id: uuid("id").notNull().defaultRandom().unique(),
    kind: text("kind", { enum: API_KEY_KINDS }).notNull(),
    /** Who was given the key: the agent itself, or its owner. */
    holder: text("holder", { enum: ["agent", "owner"] }).notNull(),
    /** The key's last characters, from its checksum. */
    hint: text("hint").notNull(),
    /** Null for a provisional key before its registration is claimed. */
    tokenId: bigint("token_id", { mode: "bigint" }),
    registrationId: uuid("registration_id"),
    /** Seal epoch the key belongs to; null exactly when tokenId is. */
    epoch: integer("epoch"),
    createdAt: at("created_at").notNull(),
    /** When it ends. A time in the future is a grace period. */
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
