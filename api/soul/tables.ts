import { sql } from "drizzle-orm";
import { bigint, index, jsonb, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { app, at, bytea } from "../platform/database/columns.ts";

/** Accepted registrations and how they ended. `payload` and `leaves` hold public content and hashes only. */
export const registration = app.table(
  "registration",
  {
    id: uuid("id").primaryKey(),
    /** Digest of what the owner signs. */
    digest: text("digest").notNull().unique(),
    name: text("name").notNull(),
    owner: text("owner").notNull(),
    state: text("state", { enum: ["pending", "complete"] }).notNull(),
    payload: jsonb("payload").notNull(),
    saltEncrypted: bytea("salt_encrypted").notNull(),
    leaves: jsonb("leaves").notNull(),
    result: jsonb("result"),
    apiKeyEncrypted: bytea("api_key_encrypted"),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("registration_name").on(table.name),
    /** Two registrations of one name cannot be on their way at once. */
    uniqueIndex("registration_pending_name").on(table.name).where(sql`state = 'pending'`),
    index("registration_state").on(table.state, table.createdAt),
    index("registration_owner").on(table.owner, table.createdAt),
  ],
);

/** The salt that blinds a soul's fields, and the leaf hashes made with it. A reseal starts a new row. */
export const soulSecret = app.table(
  "soul_secret",
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: bigint("epoch", { mode: "bigint" }).notNull(),
    soulHash: text("soul_hash").notNull(),
    saltEncrypted: bytea("salt_encrypted").notNull(),
    leaves: jsonb("leaves").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.epoch] })],
);
