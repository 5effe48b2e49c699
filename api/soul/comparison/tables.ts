import { sql } from "drizzle-orm";
import { bigint, bigserial, index, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { address, appTable, at, uint256 } from "../../platform/database/columns.ts";

/** Ranges of blocks whose events the index has wrong. The indexer reads them again and builds a new index beside. */
export const indexFault = appTable(
  "index_fault",
  {
    kept: { days: 400, since: "mended_at" },
    rebuiltFrom: null,
    lostWith: "Which ranges were wrong. The comparison finds those that still are.",
  },
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    foundAt: at("found_at").notNull(),
    /** `reread`: a final range had other logs when it was read again. `compared`: contracts and index differed. */
    foundBy: text("found_by", { enum: ["reread", "compared"] }).notNull(),
    fromBlock: bigint("from_block", { mode: "bigint" }).notNull(),
    /** The last block of the range. */
    toBlock: bigint("to_block", { mode: "bigint" }).notNull(),
    detail: text("detail"),
    /** Schema of the index that is built without the fault; null while none is. */
    rebuiltAs: text("rebuilt_as"),
    /** When the views pointed at that index; null before. */
    mendedAt: at("mended_at"),
  },
  (table) => [
    index("index_fault_open").on(table.id).where(sql`mended_at is null`),
    index("index_fault_mended").on(table.mendedAt),
    /** What is compared again and again is one fault while it lasts. */
    uniqueIndex("index_fault_compared")
      .on(table.detail)
      .where(sql`mended_at is null and found_by = 'compared'`),
  ],
);

/** Passports whose owner, soul or allowance the index has otherwise than the contracts at a settled block. */
export const passportDifference = appTable(
  "passport_difference",
  {
    kept: { removedBy: "index.compare", when: "when the index agrees with the contracts again" },
    rebuiltFrom: null,
    lostWith: "Nothing: the comparison finds them again.",
    inPublicAnswers: true,
  },
  {
    passportId: uint256("passport_id").primaryKey(),
    /** 0 without a soul. */
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    /** Who owns it on chain, in lower case as in the index. Null when there is no such passport. */
    owner: address("owner"),
    foundAt: at("found_at").notNull(),
    /** In the state of which block it was seen. */
    seenBlock: bigint("seen_block", { mode: "bigint" }).notNull(),
  },
);

/** Passports that were answered from the index since the last comparison, which begins with them. */
export const passportAsked = appTable(
  "passport_asked",
  {
    kept: { removedBy: "index.compare", when: "when it compares the passport, a minute later" },
    rebuiltFrom: null,
    lostWith: "Nothing: the comparison comes to every passport within a day.",
  },
  { passportId: uint256("passport_id").primaryKey() },
);

/** How far the indexer has read final blocks a second time, and when it had stored which. */
export const indexReread = appTable(
  "index_reread",
  {
    kept: { removedBy: "the indexer", when: "when it has read the block a second time" },
    rebuiltFrom: null,
    lostWith: "Nothing: the indexer reads all blocks a second time.",
  },
  {
    /** The first schema of the release that indexes. */
    base: text("base").notNull(),
    /** All blocks up to this one. */
    block: bigint("block", { mode: "bigint" }).notNull(),
    /** When they were stored. */
    seenAt: at("seen_at").notNull(),
    /** When they had been read a second time. */
    rereadAt: at("reread_at"),
  },
  (table) => [primaryKey({ columns: [table.base, table.block] })],
);
