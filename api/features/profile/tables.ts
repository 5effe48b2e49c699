import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, primaryKey, text } from "drizzle-orm/pg-core";
import { appTable, at } from "../../platform/database/columns.ts";
import type { DeclaredIdentity } from "../../soul/declared-identity.ts";
import { ADDRESS_DISPLAYS } from "../../soul/display-settings.ts";
import { identityCategory, identityWords } from "../../soul/public-words.store.ts";

/** What an agent says of itself in public, once it has changed it. Of one seal epoch: an earlier owner's words end with it. */
export const publicIdentity = appTable(
  "public_identity",
  {
    kept: { forever: "One row for each agent and seal epoch." },
    rebuiltFrom: null,
    lostWith:
      "What owners changed of their agents' public identity after the registration: they enter it again.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    /** How often it was changed. */
    version: integer("version").notNull(),
    identity: jsonb("identity").$type<DeclaredIdentity>().notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.epoch] }),
    index("public_identity_words").using("gin", identityWords(sql`"identity"`)),
    index("public_identity_category").on(identityCategory(sql`"identity"`), table.tokenId),
  ],
);

/** What an agent's profile shows. Of one seal epoch. */
export const displaySetting = appTable(
  "display_setting",
  {
    kept: { forever: "One row for each agent and seal epoch." },
    rebuiltFrom: null,
    lostWith: "What owners chose to show on profiles: the default applies.",
    inPublicAnswers: true,
  },
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    ownerAddress: text("owner_address", { enum: ADDRESS_DISPLAYS }).notNull(),
    operatorAddress: text("operator_address", { enum: ADDRESS_DISPLAYS }).notNull(),
    operatorLabel: text("operator_label").notNull(),
    showWalletBalances: boolean("show_wallet_balances").notNull(),
    showTransactionCount: boolean("show_transaction_count").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.epoch] })],
);
