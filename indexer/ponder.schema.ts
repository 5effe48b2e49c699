import { index, onchainTable, primaryKey } from "ponder";

// Rows hold what events say; whatever can be derived (DID, URLs, validity) is computed when read. Times are Unix seconds of
// the block. Uniqueness that contracts guarantee (a name, a live passport binding) is indexed but not constrained here: a
// constraint could only stop the indexer, never correct the chain.

/** An ERC-8004 passport, whoever registered it. */
export const passport = onchainTable(
  "passport",
  (t) => ({
    /** ERC-8004 agent id, from 0; up to 256 bits. */
    id: t.bigint().primaryKey(),
    /** Null while only a URI of a passport older than the first indexed block was seen. */
    owner: t.hex(),
    /** Agent URI as set by whoever controls the passport: untrusted. Null when none was seen, or none that can be stored. */
    uri: t.text(),
    /** Who called `register`; null, like the three after it, for a passport older than the first indexed block. */
    registrant: t.hex(),
    registeredAt: t.bigint(),
    registeredBlock: t.bigint(),
    registeredTx: t.hex(),
    /** Since when `owner` holds it without a break: sending a passport to oneself does not count. */
    ownerSince: t.bigint(),
    ownerSinceBlock: t.bigint(),
    /** Changes of owner after the mint. The hand-over inside one of our registrations is one. */
    transferCount: t.integer().notNull().default(0),
  }),
  (table) => ({ byOwner: index().on(table.owner) }),
);

/** Every Transfer of every passport, mints and self-transfers included. */
export const passportOwner = onchainTable(
  "passport_owner",
  (t) => ({
    passportId: t.bigint().notNull(),
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    from: t.hex().notNull(),
    to: t.hex().notNull(),
    timestamp: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.passportId, table.block, table.logIndex] }) }),
);

/** The last value set under each metadata key of a passport. Untrusted: an owner sets what it likes. */
export const passportMetadata = onchainTable(
  "passport_metadata",
  (t) => ({
    passportId: t.bigint().notNull(),
    /** See `metadataKey`: the key itself, or the hash of one that cannot be kept as it is. */
    key: t.text().notNull(),
    /** `0x` once cleared; null when it was too large to keep. */
    value: t.hex(),
    updatedAt: t.bigint().notNull(),
    updatedBlock: t.bigint().notNull(),
    updatedTx: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.passportId, table.key] }) }),
);

/** A soulbound certificate. */
export const certificate = onchainTable(
  "certificate",
  (t) => ({
    tokenId: t.bigint().primaryKey(),
    /** Null once burned. */
    holder: t.hex(),
    mintedAt: t.bigint().notNull(),
    mintedBlock: t.bigint().notNull(),
    mintTx: t.hex().notNull(),
    burnedAt: t.bigint(),
    burnTx: t.hex(),
  }),
  (table) => ({ byHolder: index().on(table.holder) }),
);

/** A soul: the record of the soul registry, assembled from its events. */
export const soul = onchainTable(
  "soul",
  (t) => ({
    tokenId: t.bigint().primaryKey(),
    name: t.text().notNull(),
    passportId: t.bigint().notNull(),
    /** Who registered it. */
    owner: t.hex().notNull(),
    /** Who sealed this epoch; the owner while PROVISIONAL. */
    sealer: t.hex().notNull(),
    /** The zero address when the sealer acts for the agent. */
    operator: t.hex().notNull(),
    /** 0 for none. */
    parentTokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    status: t.text({ enum: ["PROVISIONAL", "SEALED", "BURNED"] }).notNull(),
    /** Index of the contract's AgentType. */
    agentType: t.integer().notNull(),
    /** Whether this registration made the passport, instead of binding one that existed. */
    newPassport: t.boolean().notNull(),
    /** Null, like the fields of a seal after it, while PROVISIONAL. */
    soulHash: t.hex(),
    soulMerkleRoot: t.hex(),
    /** SHA-256 of the public registration file without ids. */
    contentHash: t.hex(),
    /** Named by the registrar and not covered by the owner's signature; null when it is no text that can be stored. */
    archiveId: t.text(),
    /** The soul hash of the first seal. */
    genesisSoulHash: t.hex(),
    agentUriHasIds: t.boolean(),
    mintTimestamp: t.bigint().notNull(),
    mintBlock: t.bigint().notNull(),
    mintTx: t.hex().notNull(),
    sealedAt: t.bigint(),
    sealBlock: t.bigint(),
    sealTx: t.hex(),
  }),
  (table) => ({
    byName: index().on(table.name),
    byPassport: index().on(table.passportId),
    bySealer: index().on(table.sealer),
    byOperator: index().on(table.operator),
  }),
);
