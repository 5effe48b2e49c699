import { bigint, index, text, uuid } from "drizzle-orm/pg-core";
import { appTable, at } from "../../platform/database/columns.ts";

/**
 * Names reserved before the chain has them. A challenge's reservation expires; a registration's
 * lasts until the registration ends.
 */
export const nameLock = appTable(
  "name_lock",
  {
    kept: {
      removedBy: "registrations.expire",
      when: "when the reservation or the registration ends",
    },
    rebuiltFrom: null,
    lostWith: "Reservations of names that are not registered yet: the names are free again.",
  },
  {
    name: text("name").primaryKey(),
    /** The challenge, or the registration. */
    holder: uuid("holder").notNull().unique(),
    /** The caller, as limits count callers. */
    address: text("address").notNull(),
    /** When a soft lock expires; null for a hard one. */
    expiresAt: at("expires_at"),
  },
  (table) => [index("name_lock_address").on(table.address)],
);

/**
 * The challenge that an agent must answer before it may register. The answer follows from the row,
 * and is not secret.
 */
export const nameChallenge = appTable(
  "name_challenge",
  {
    kept: { removedBy: "registrations.expire", when: "when it expires" },
    rebuiltFrom: null,
    lostWith: "Open challenges: the agents ask for new ones.",
  },
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    /** Unix seconds that the challenge names. */
    seconds: bigint("seconds", { mode: "bigint" }).notNull(),
    expiresAt: at("expires_at").notNull(),
    /** The registration that it was answered for. */
    usedBy: uuid("used_by"),
  },
  (table) => [index("name_challenge_expires_at").on(table.expiresAt)],
);
