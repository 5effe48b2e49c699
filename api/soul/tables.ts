import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Field, FieldLeaf } from "../../protocol/index.ts";
import { address, appTable, at, bytea, exactJson, hex } from "../platform/database/columns.ts";
import { registeredCategory, registeredWords } from "./public-words.store.ts";

/** The public part of accepted registrations: `payload` and `leaves` hold public content and hashes only. */
export const registration = appTable(
  "registration",
  {
    kept: { forever: "It holds the answer of a registration and what the agent declared." },
    rebuiltFrom: "storage",
    lostWith:
      "Registrations that are not complete. Of complete ones their ids, and the request as it was sent.",
    inPublicAnswers: true,
  },
  {
    /** Of its operation; an agent of a batch has one of its own. */
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    owner: address("owner").notNull(),
    state: text("state", { enum: ["pending", "complete"] }).notNull(),
    payload: exactJson<unknown>("payload").notNull(),
    leaves: jsonb("leaves").$type<readonly FieldLeaf[]>().notNull(),
    /** Of the soul's record on permanent storage; null until it is complete. */
    archiveId: text("archive_id"),
    /** The agent's first API key, while its registration may be repeated; null afterwards. */
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
    index("registration_api_key").on(table.createdAt).where(sql`api_key_encrypted is not null`),
    index("registration_words")
      .using("gin", registeredWords(sql`"payload"`))
      .where(sql`state = 'complete'`),
    index("registration_category")
      .on(registeredCategory(sql`"payload"`), table.name)
      .where(sql`state = 'complete'`),
  ],
);

/** The salt that blinds a soul's fields, and the leaf hashes made with it. A reseal starts a new row. */
export const soulSecret = appTable(
  "soul_secret",
  {
    kept: { forever: "Without the salts no field of a soul can be proved." },
    rebuiltFrom: null,
    lostWith:
      "The salts of all souls. The service cannot prove fields or check documents any more until owners revise their souls. Owners who kept their salt prove fields by themselves.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    soulHash: hex("soul_hash").notNull(),
    saltEncrypted: bytea("salt_encrypted").notNull(),
    leaves: jsonb("leaves").$type<readonly FieldLeaf[]>().notNull(),
    /** The values that a reseal published with this soul; null for a registration's, which are in its payload. */
    publicFields: jsonb("public_fields").$type<Readonly<Partial<Record<Field, unknown>>>>(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.epoch] })],
);
