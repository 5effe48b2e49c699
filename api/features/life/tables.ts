import { sql } from "drizzle-orm";
import { bigint, index, integer, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { address, appTable, at, hex, uint256 } from "../../platform/database/columns.ts";

/** How far each round of the passport watch has come: the first place that it has not looked at. */
export const passportWatch = appTable(
  "passport_watch",
  {
    kept: { forever: "One row for each round of the watch." },
    rebuiltFrom: null,
    lostWith: "Nothing: the watch begins with the first block again, and records nothing twice.",
  },
  {
    round: text("round", { enum: ["traces", "poll"] }).primaryKey(),
    /** Of the poll 0 among the souls, and 1 among the passports without one. */
    block: bigint("block", { mode: "bigint" }).notNull(),
    /** Passport id, or of the poll among the souls a token id. */
    nextId: uint256("next_id").notNull(),
    /** Of the last step of the round: in the state of which block it looked. */
    seenBlock: bigint("seen_block", { mode: "bigint" }).notNull(),
  },
);

/**
 * Times that a soul was seen suspended, each with the passport's owner then: from the departure of
 * the passport to its return without a recorded suspension, or to a reseal.
 */
export const passportSuspension = appTable(
  "passport_suspension",
  {
    kept: { forever: "They are the record of sales that ended an agent's authority." },
    rebuiltFrom: null,
    lostWith:
      "When transfers of passports were first seen. The watch sees those that still suspend a soul again.",
  },
  {
    id: uuid("id").primaryKey(),
    passportId: uint256("passport_id").notNull(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    sealer: address("sealer").notNull(),
    owner: address("owner").notNull(),
    /** In whose state it was seen. */
    observedBlock: bigint("observed_block", { mode: "bigint" }).notNull(),
    createdAt: at("created_at").notNull(),
    /** Null while it lasts. */
    endedAt: at("ended_at"),
    /**
     * When nothing was left to record on chain; the transaction is null when another account had
     * recorded it.
     */
    recordedAt: at("recorded_at"),
    recordTx: hex("record_tx"),
  },
  (table) => [
    /** Two watchers that see the same at once record it once. */
    uniqueIndex("passport_suspension_lasting").on(table.passportId).where(sql`ended_at is null`),
    index("passport_suspension_token_id").on(table.tokenId),
  ],
);
