import { index, onchainTable, primaryKey } from "ponder";
import { ALLOWANCE_REASONS } from "../protocol/allowance-reasons.ts";
import { AUTHORITIES, VALIDITIES } from "./enums.ts";

// Rows hold what events say; derived values (DID, URLs) are computed on reading. Two are stored,
// because lists are found by them: a name's skeleton and a soul's validity. Times are Unix seconds
// of the block. Uniqueness that contracts guarantee (a name, an active passport
// binding) is indexed but not constrained here: a constraint could stop the indexer, but not
// correct the chain.
//
// Each "current" row has its history in another table. A row that depends on the owner holds the
// epoch in which it was written. Readers compare it with the soul's epoch and the passport's owner,
// so that a sale updates no rows but the passport's and the soul's.

/** Columns of a history row: time and position of the event. */
const occurrence = (t: ColumnBuilders) => ({
  timestamp: t.bigint().notNull(),
  block: t.bigint().notNull(),
  tx: t.hex().notNull(),
  logIndex: t.integer().notNull(),
});

type ColumnBuilders = Parameters<
  Extract<Parameters<typeof onchainTable>[1], (...args: never[]) => unknown>
>[0];

/** An ERC-8004 passport, registered by any account. */
export const passport = onchainTable(
  "passport",
  (t) => ({
    /** ERC-8004 agent id, from 0; up to 256 bits. */
    id: t.bigint().primaryKey(),
    /** Null while only a URI of a passport from before the first indexed block was seen. */
    owner: t.hex(),
    /**
     * Agent URI set by the passport's controller: untrusted. Null when none was seen or it cannot
     * be stored.
     */
    uri: t.text(),
    /**
     * Caller of `register`. Null, like the next three, for a passport from before the first indexed
     * block.
     */
    registrant: t.hex(),
    registeredAt: t.bigint(),
    registeredBlock: t.bigint(),
    registeredTx: t.hex(),
    /**
     * Start of the current owner's uninterrupted ownership; a transfer to oneself does not reset
     * it.
     */
    ownerSince: t.bigint(),
    ownerSinceBlock: t.bigint(),
    /**
     * Changes of owner after the mint, including the hand-over within a registration by this
     * protocol.
     */
    transferCount: t.integer().notNull().default(0),
    /** The soul that it carries; null for none. */
    soulTokenId: t.bigint(),
    /**
     * When a registration last left out this passport's `svc*` metadata. Null for never, and once
     * it was written. The passport's controller may also have written it since: compare with
     * `passport_metadata`.
     */
    metadataPendingAt: t.bigint(),
    metadataPendingBlock: t.bigint(),
  }),
  (table) => ({ byOwner: index().on(table.owner, table.id) }),
);

/** Every Transfer of every passport, mints and self-transfers included. */
export const passportOwner = onchainTable(
  "passport_owner",
  (t) => ({
    passportId: t.bigint().notNull(),
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    /**
     * HANDED_OVER: by the passport mint to the owner, within a registration. KEPT: sent to its own
     * owner. TRANSFERRED: every other change of owner.
     */
    kind: t.text({ enum: ["MINTED", "HANDED_OVER", "KEPT", "TRANSFERRED"] }).notNull(),
    from: t.hex().notNull(),
    to: t.hex().notNull(),
    timestamp: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.passportId, table.block, table.logIndex] }),
    byBlock: index().on(table.block),
    byKind: index().on(table.kind, table.block, table.logIndex),
    byPassport: index().on(table.passportId, table.kind, table.block, table.logIndex),
  }),
);

/** The last value set under each metadata key of a passport. Untrusted: the owner chooses it. */
export const passportMetadata = onchainTable(
  "passport_metadata",
  (t) => ({
    passportId: t.bigint().notNull(),
    /** See `metadataKey`: the key itself, or its hash when the key cannot be stored unchanged. */
    key: t.text().notNull(),
    /** `0x` once cleared; null when it was too large to store. */
    value: t.hex(),
    updatedAt: t.bigint().notNull(),
    updatedBlock: t.bigint().notNull(),
    updatedTx: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.passportId, table.key] }),
    byKey: index().on(table.key, table.updatedBlock),
  }),
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
    /** See `nameSkeleton`: names that are easily mistaken for each other have the same. */
    nameSkeleton: t.text().notNull(),
    passportId: t.bigint().notNull(),
    /** Who registered it. */
    owner: t.hex().notNull(),
    /** The account that sealed this epoch; the owner while PROVISIONAL. */
    sealer: t.hex().notNull(),
    /** The zero address when the sealer acts for the agent. */
    operator: t.hex().notNull(),
    /** Number of executed owner decisions: the next operation signs over it. */
    version: t.integer().notNull().default(0),
    /** The same counter of the passport writer, for the passport's URI and metadata. */
    passportVersion: t.integer().notNull().default(0),
    /** 0 for none. */
    parentTokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    status: t.text({ enum: ["PROVISIONAL", "SEALED", "BURNED"] }).notNull(),
    /** As the registry's `validityOf` answers it. Follows from other columns and the passport's owner. */
    validity: t.text({ enum: VALIDITIES }).notNull(),
    /** Index of the contract's AgentType. */
    agentType: t.integer().notNull(),
    /** Whether this registration created the passport instead of binding an existing one. */
    newPassport: t.boolean().notNull(),
    /**
     * As in the registry's record. While PROVISIONAL, and for a soul that ended so, they are what
     * its owner signed at registration and never sealed: `sealedAt` is then null.
     */
    soulHash: t.hex(),
    soulMerkleRoot: t.hex(),
    /**
     * SHA-256 of the public registration file without ids, as signed with the registration, the
     * last seal or the last reseal.
     */
    contentHash: t.hex(),
    /**
     * Archive of the registration, or of the last seal, revision or reseal: 43 characters of
     * base64url. The registrar chooses it, and the owner's signature does not cover it. Null
     * without one.
     */
    archiveId: t.text(),
    /** The soul hash of the first seal; null before it. */
    genesisSoulHash: t.hex(),
    /**
     * Of the last seal or reseal: whether the passport's URI contains its ids, or is the one that
     * the owner signed. Null before a seal, and after a reseal that wrote no URI.
     */
    agentUriHasIds: t.boolean(),
    /** Number of its rows in `soul_revision`. */
    revisions: t.integer().notNull().default(0),
    /** The adapter that attested the sealer as human in this epoch; null without one. */
    humanVerifier: t.hex(),
    /** Archive of the DID document in this epoch; null without one. */
    didArchiveId: t.hex(),
    /**
     * The owner seen by the last `suspend`, and its time. While it is set the soul is invalid, even
     * when the passport returns to its sealer. Only a reseal or a release clears it.
     */
    suspendedOwner: t.hex(),
    suspendedAt: t.bigint(),
    suspendedBlock: t.bigint(),
    /**
     * For the reincarnation of a burned parent: whether it has the parent's last hash, and its
     * first one. Otherwise null.
     */
    soulContinuity: t.boolean(),
    soulHashMatch: t.boolean(),
    /** 0 to 100, as last recorded in this epoch; null, like the next three, without a record. */
    alignmentScore: t.integer(),
    alignmentArchiveId: t.hex(),
    /** The block whose state was scored. */
    alignmentBlock: t.bigint(),
    /** Time of the recording. */
    alignmentAt: t.bigint(),
    mintTimestamp: t.bigint().notNull(),
    mintBlock: t.bigint().notNull(),
    mintTx: t.hex().notNull(),
    /** Time of this epoch's seal or reseal. */
    sealedAt: t.bigint(),
    sealBlock: t.bigint(),
    sealTx: t.hex(),
    burnedAt: t.bigint(),
    burnBlock: t.bigint(),
    burnTx: t.hex(),
    /** keccak256 of the reason's UTF-8; null when it was released. */
    burnReasonHash: t.hex(),
    /**
     * The passport's new owner that ended the soul instead of resealing it; null unless released.
     */
    releasedBy: t.hex(),
    /** Last on-chain action by its owner, its operator, or the service with its API key. */
    lastActiveAt: t.bigint().notNull(),
  }),
  (table) => ({
    byName: index().on(table.name),
    bySkeleton: index().on(table.nameSkeleton, table.tokenId),
    byPassport: index().on(table.passportId),
    bySealer: index().on(table.sealer),
    byOperator: index().on(table.operator, table.tokenId),
    byBurnBlock: index().on(table.burnBlock),
    byParent: index().on(table.parentTokenId),
    // Lists of agents are filtered and sorted by these.
    byValidity: index().on(table.validity, table.tokenId),
    byType: index().on(table.agentType, table.tokenId),
    byHumanVerifier: index().on(table.humanVerifier, table.tokenId),
    byActivity: index().on(table.lastActiveAt, table.tokenId),
    byAlignment: index().on(table.alignmentScore, table.tokenId),
  }),
);

/** Every soul hash of a soul, numbered from 1. */
export const soulRevision = onchainTable(
  "soul_revision",
  (t) => ({
    tokenId: t.bigint().notNull(),
    revision: t.integer().notNull(),
    kind: t.text({ enum: ["SEAL", "REVISION", "RESEAL"] }).notNull(),
    epoch: t.integer().notNull(),
    /** The owner that decided it. */
    owner: t.hex().notNull(),
    /**
     * The previous soul hash. Null for a seal. For a REVISION or RESEAL the hash that the contract
     * reports as replaced; for a soul that was PROVISIONAL that hash was never sealed.
     */
    previousSoulHash: t.hex(),
    soulHash: t.hex().notNull(),
    soulMerkleRoot: t.hex().notNull(),
    /** Of a SEAL or RESEAL: SHA-256 of the public registration file without ids. */
    contentHash: t.hex(),
    /** Of a SEAL or RESEAL: the adapter that attested the owner as human with it; null without one. */
    verifier: t.hex(),
    /** Of a REVISION: SHA-256 of its public record. */
    dataHash: t.hex(),
    /** As `soul.archiveId`. */
    archiveId: t.text(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.revision] }),
    byBlock: index().on(table.block),
    byKind: index().on(table.kind, table.block, table.logIndex),
    byToken: index().on(table.tokenId, table.kind, table.block, table.logIndex),
    // Both find copies: hashes or roots that an earlier soul has.
    bySoulHash: index().on(table.soulHash),
    byMerkleRoot: index().on(table.soulMerkleRoot),
  }),
);

/**
 * Every epoch of a soul: from its registration or a reseal to the next reseal, its burn or its
 * release.
 */
export const soulEpoch = onchainTable(
  "soul_epoch",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    sealer: t.hex().notNull(),
    /** The operator at its start; later changes are in `operator_change`. */
    operator: t.hex().notNull(),
    /** The adapter that attested the sealer as human; null without one. */
    humanVerifier: t.hex(),
    startedAt: t.bigint().notNull(),
    startBlock: t.bigint().notNull(),
    startTx: t.hex().notNull(),
    startLogIndex: t.integer().notNull(),
    /** Null, like the next two, for the current epoch of a soul that is not burned. */
    endedAt: t.bigint(),
    endBlock: t.bigint(),
    endTx: t.hex(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.epoch] }),
    bySealer: index().on(table.sealer),
    byStart: index().on(table.epoch, table.startBlock, table.startLogIndex),
    byToken: index().on(table.tokenId, table.startBlock, table.startLogIndex),
  }),
);

/** How a soul ended. */
export const soulEnd = onchainTable(
  "soul_end",
  (t) => ({
    tokenId: t.bigint().primaryKey(),
    kind: t.text({ enum: ["BURNED", "RELEASED"] }).notNull(),
    epoch: t.integer().notNull(),
    passportId: t.bigint().notNull(),
    /** Its owner, or the passport's new owner that released it. */
    by: t.hex().notNull(),
    /** keccak256 of the reason's UTF-8; null when it was released. */
    reasonHash: t.hex(),
    ...occurrence(t),
  }),
  (table) => ({ byKind: index().on(table.kind, table.block, table.logIndex) }),
);

/**
 * Every recorded owner of a soul's passport that is not the soul's sealer, and every return to the
 * sealer.
 */
export const suspension = onchainTable(
  "suspension",
  (t) => ({
    tokenId: t.bigint().notNull(),
    passportId: t.bigint().notNull(),
    observedOwner: t.hex().notNull(),
    sealer: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }),
    byBlock: index().on(table.block, table.logIndex),
  }),
);

/** Every change of a soul's operator, except those by a reseal. */
export const operatorChange = onchainTable(
  "operator_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    version: t.integer().notNull(),
    epoch: t.integer().notNull(),
    previousOperator: t.hex().notNull(),
    operator: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.version] }),
    byBlock: index().on(table.block, table.logIndex),
    byToken: index().on(table.tokenId, table.block, table.logIndex),
  }),
);

/** Every archive recorded for a soul's DID document. */
export const didArchive = onchainTable(
  "did_archive",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    /** 32 bytes; zero withdraws the document. */
    archiveId: t.hex().notNull(),
    previousArchiveId: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }),
    byBlock: index().on(table.block, table.logIndex),
  }),
);

/** An organization. */
export const organization = onchainTable(
  "organization",
  (t) => ({
    id: t.bigint().primaryKey(),
    admin: t.hex().notNull(),
    /** Named by the admin and not accepted yet; null without one. It has no rights. */
    pendingAdmin: t.hex(),
    /** The account that created it. */
    founder: t.hex().notNull(),
    /** As its founder wrote it: untrusted, not unique. Null when it cannot be stored as text. */
    name: t.text(),
    /** The next admin change and its acceptance sign over this version. */
    version: t.integer().notNull().default(0),
    /**
     * Recorded memberships. One with an old epoch counts until it is pruned or replaced; a
     * suspended one always counts.
     */
    memberCount: t.bigint().notNull().default(0n),
    createdAt: t.bigint().notNull(),
    createdBlock: t.bigint().notNull(),
    createTx: t.hex().notNull(),
  }),
  (table) => ({
    byAdmin: index().on(table.admin, table.id),
    byPendingAdmin: index().on(table.pendingAdmin),
  }),
);

/**
 * Every admin of an organization. Version 0 is its founder; for later admins, the version at which
 * each was named.
 */
export const organizationAdmin = onchainTable(
  "organization_admin",
  (t) => ({
    organizationId: t.bigint().notNull(),
    version: t.integer().notNull(),
    admin: t.hex().notNull(),
    kind: t.text({ enum: ["FOUNDED", "HANDED_OVER"] }).notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.organizationId, table.version] }),
    byKind: index().on(table.kind, table.block, table.logIndex),
  }),
);

/** An agent's recorded membership, active or not: it is active only in the soul's current epoch. */
export const membership = onchainTable(
  "membership",
  (t) => ({
    tokenId: t.bigint().primaryKey(),
    /** Null, like `epoch`, after the membership has ended. */
    organizationId: t.bigint(),
    /** The soul's epoch in which it began. */
    epoch: t.integer(),
    /** The next join or leave signs over this version. */
    version: t.integer().notNull(),
    updatedAt: t.bigint().notNull(),
    updatedBlock: t.bigint().notNull(),
    updateTx: t.hex().notNull(),
  }),
  // The order in which members are listed.
  (table) => ({ byJoining: index().on(table.organizationId, table.updatedBlock, table.tokenId) }),
);

/** Every start and end of a membership. */
export const membershipChange = onchainTable(
  "membership_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    /** The next join or leave signs over this version. Pruning does not change it. */
    version: t.integer().notNull(),
    /** PRUNED: it was inactive already, and the record was removed. */
    kind: t.text({ enum: ["JOINED", "LEFT", "PRUNED"] }).notNull(),
    organizationId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    /** The agent's owner that joined or ended it; null when pruned. */
    by: t.hex(),
    /** The admin that agreed; null except for JOINED. */
    admin: t.hex(),
    /** The organization's count after the change. */
    memberCount: t.bigint().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }),
    byOrganization: index().on(table.organizationId),
    byKind: index().on(table.kind, table.block, table.logIndex, table.tokenId),
    byToken: index().on(table.tokenId, table.kind, table.block, table.logIndex),
  }),
);

/**
 * How far one agent trusts another now. It is valid only for the current epochs and owners of both.
 */
export const binding = onchainTable(
  "binding",
  (t) => ({
    fromTokenId: t.bigint().notNull(),
    toTokenId: t.bigint().notNull(),
    bindingId: t.hex().notNull(),
    /** Index of the contract's TrustLevel: 1 revoked, 2 limited, 3 verified, 4 trusted. */
    trustLevel: t.integer().notNull(),
    authority: t.text({ enum: AUTHORITIES }).notNull(),
    /** The owner of `fromTokenId`, or for SERVICE the account with that role. */
    setBy: t.hex().notNull(),
    /** The epoch of `fromTokenId` in which it was written. */
    epoch: t.integer().notNull(),
    toEpoch: t.integer().notNull(),
    /** Number of changes by owners: the owner's next change signs over it. */
    version: t.integer().notNull(),
    /** Number of changes by the service: its next change names it. */
    serviceVersion: t.integer().notNull(),
    contextHash: t.hex().notNull(),
    /** Untrusted text of the account that set it. Null when it cannot be stored as text. */
    context: t.text(),
    createdAt: t.bigint().notNull(),
    updatedAt: t.bigint().notNull(),
    updatedBlock: t.bigint().notNull(),
    updateTx: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.fromTokenId, table.toTokenId] }),
    byBindingId: index().on(table.bindingId),
    // The orders in which an agent's bindings are listed.
    byFrom: index().on(table.fromTokenId, table.createdAt, table.toTokenId),
    byTo: index().on(table.toTokenId, table.createdAt, table.fromTokenId),
  }),
);

/** Every change of a binding: each raises one of the two versions. */
export const bindingChange = onchainTable(
  "binding_change",
  (t) => ({
    fromTokenId: t.bigint().notNull(),
    toTokenId: t.bigint().notNull(),
    version: t.integer().notNull(),
    serviceVersion: t.integer().notNull(),
    previousTrustLevel: t.integer().notNull(),
    trustLevel: t.integer().notNull(),
    authority: t.text({ enum: AUTHORITIES }).notNull(),
    setBy: t.hex().notNull(),
    epoch: t.integer().notNull(),
    toEpoch: t.integer().notNull(),
    contextHash: t.hex().notNull(),
    context: t.text(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.fromTokenId, table.toTokenId, table.version, table.serviceVersion],
    }),
    byBlock: index().on(table.block, table.logIndex),
    byFrom: index().on(table.fromTokenId, table.block, table.logIndex),
    byTo: index().on(table.toTokenId, table.block, table.logIndex),
  }),
);

/**
 * A soul's allowance in one epoch, and what was paid from it. Amounts are base units of the
 * stablecoin.
 */
export const allowance = onchainTable(
  "allowance",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    owner: t.hex().notNull(),
    /** Number of owner decisions. 0 when payments were tried or reported without one. */
    version: t.integer().notNull().default(0),
    /** The owner's last decision. */
    active: t.boolean().notNull().default(false),
    perTransaction: t.bigint().notNull().default(0n),
    dailyLimit: t.bigint().notNull().default(0n),
    /**
     * Last Unix second in which `active` is valid; null when the owner deactivated or never set it.
     */
    validUntil: t.bigint(),
    /** Whether payments need the passport's agentWallet to be the operator. */
    onlyWithAgentWallet: t.boolean().notNull().default(false),
    /**
     * The UTC day of `spentToday`, in days since 1970; null before the first payment. On other days
     * nothing is spent yet.
     */
    spentDay: t.integer(),
    spentToday: t.bigint().notNull().default(0n),
    paidCount: t.integer().notNull().default(0),
    paidAmount: t.bigint().notNull().default(0n),
    refusedCount: t.integer().notNull().default(0),
    reportedCount: t.integer().notNull().default(0),
    reportedAmount: t.bigint().notNull().default(0n),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.epoch] }) }),
);

/** Every owner decision on an allowance. */
export const allowanceChange = onchainTable(
  "allowance_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    version: t.integer().notNull(),
    kind: t.text({ enum: ["SET", "DEACTIVATED"] }).notNull(),
    owner: t.hex().notNull(),
    /** Null, like the next three, when deactivated. */
    perTransaction: t.bigint(),
    dailyLimit: t.bigint(),
    validUntil: t.bigint(),
    onlyWithAgentWallet: t.boolean(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.epoch, table.version] }),
    byKind: index().on(table.kind, table.block, table.logIndex),
    byToken: index().on(table.tokenId, table.kind, table.block, table.logIndex),
  }),
);

/** Every payment that an operator made, that was refused, or that an operator reported. */
export const spend = onchainTable(
  "spend",
  (t) => ({
    tokenId: t.bigint().notNull(),
    kind: t.text({ enum: ["ALLOWED", "REFUSED", "REPORTED"] }).notNull(),
    epoch: t.integer().notNull(),
    owner: t.hex().notNull(),
    operator: t.hex().notNull(),
    /** The zero address when a reported payment went to no account of this chain. */
    recipient: t.hex().notNull(),
    /** An operator may report any amount. */
    amount: t.bigint().notNull(),
    /**
     * Whether the allowance permitted it. A permitted payment is REFUSED when the stablecoin did
     * not move.
     */
    withinLimits: t.boolean().notNull(),
    reason: t.text({ enum: ALLOWANCE_REASONS }).notNull(),
    /** Total of that day in this epoch, including the payment unless it was refused. */
    spentToday: t.bigint().notNull(),
    /**
     * Reference chosen by the operator: in a report, where to find the payment; otherwise its
     * purpose. Zero without one.
     */
    paymentRef: t.hex().notNull(),
    /** EIP-712 digest of the signed payment; null without a signature. */
    digest: t.hex(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }),
    byRecipient: index().on(table.recipient),
    byKind: index().on(table.kind, table.block, table.logIndex),
    byToken: index().on(table.tokenId, table.kind, table.block, table.logIndex),
    // The last payment of a day holds its total.
    byTime: index().on(table.tokenId, table.timestamp, table.block, table.logIndex),
  }),
);

/** What a recipient received through the allowances of one owner. */
export const earning = onchainTable(
  "earning",
  (t) => ({
    recipient: t.hex().notNull(),
    owner: t.hex().notNull(),
    payments: t.integer().notNull(),
    amount: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.recipient, table.owner] }) }),
);

/** A batch of chronicles. */
export const batch = onchainTable(
  "batch",
  (t) => ({
    id: t.bigint().primaryKey(),
    root: t.hex().notNull(),
    /** Zero for batch 1. */
    previousRoot: t.hex().notNull(),
    leafCount: t.bigint().notNull(),
    /** Where the list of all leaves is stored: 32 bytes. */
    leavesArchiveId: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({ byBlock: index().on(table.block, table.logIndex) }),
);

/** Every alignment score of a soul, with its epoch. */
export const alignment = onchainTable(
  "alignment",
  (t) => ({
    tokenId: t.bigint().notNull(),
    /** The block whose state was scored. */
    scoredBlock: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    score: t.integer().notNull(),
    previousScore: t.integer().notNull(),
    archiveId: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.scoredBlock] }),
    byBlock: index().on(table.block, table.logIndex),
    byToken: index().on(table.tokenId, table.block, table.logIndex),
  }),
);

/**
 * The public keys that an owner last set for an agent. They are valid only in the soul's current
 * epoch while its seal is valid.
 */
export const agentKeys = onchainTable("agent_keys", (t) => ({
  tokenId: t.bigint().primaryKey(),
  epoch: t.integer().notNull(),
  /** The account that set them. */
  owner: t.hex().notNull(),
  /** The next change signs over this version. */
  version: t.integer().notNull(),
  /** SHA-256 of the canonical key set; null, like the archive, once withdrawn. */
  keysHash: t.hex(),
  /** Storage id of the key set: 32 bytes. The owner chooses it; its content is untrusted. */
  archiveId: t.hex(),
  /** Whether the keys need the passport's agentWallet to be the operator. */
  onlyWithAgentWallet: t.boolean().notNull(),
  updatedAt: t.bigint().notNull(),
  updatedBlock: t.bigint().notNull(),
  updateTx: t.hex().notNull(),
}));

/** Every time an agent's keys were set or withdrawn. */
export const agentKeysChange = onchainTable(
  "agent_keys_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    version: t.integer().notNull(),
    epoch: t.integer().notNull(),
    owner: t.hex().notNull(),
    keysHash: t.hex(),
    archiveId: t.hex(),
    onlyWithAgentWallet: t.boolean().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.version] }),
    byBlock: index().on(table.block, table.logIndex),
    byToken: index().on(table.tokenId, table.block, table.logIndex),
  }),
);

/** An adapter that may attest owners as human, or once could. */
export const humanVerifier = onchainTable("human_verifier", (t) => ({
  address: t.hex().primaryKey(),
  status: t.text({ enum: ["PROPOSED", "APPROVED", "REMOVED"] }).notNull(),
  /** When the last proposal can be activated; null when it was not indexed. */
  activatableAt: t.bigint(),
  /** The account that activated it; null unless APPROVED. */
  activatedBy: t.hex(),
  updatedAt: t.bigint().notNull(),
  updatedBlock: t.bigint().notNull(),
  updateTx: t.hex().notNull(),
}));

/**
 * Every used proof of personhood. Any account may use its own; only the soul registry's uses count
 * here.
 */
export const humanProof = onchainTable(
  "human_proof",
  (t) => ({
    consumer: t.hex().notNull(),
    verifier: t.hex().notNull(),
    nullifier: t.hex().notNull(),
    action: t.hex().notNull(),
    signal: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.consumer, table.verifier, table.nullifier] }),
    byBlock: index().on(table.consumer, table.block, table.logIndex),
  }),
);

/**
 * Feedback on any passport, by any account. Texts are null when they cannot be stored. Fields of
 * the first event are null when only a later event was indexed.
 */
export const feedback = onchainTable(
  "feedback",
  (t) => ({
    passportId: t.bigint().notNull(),
    client: t.hex().notNull(),
    /** Counts from 1 for each client of a passport. */
    feedbackIndex: t.bigint().notNull(),
    /** With `valueDecimals` decimals. */
    value: t.bigint(),
    valueDecimals: t.integer(),
    tag1: t.text(),
    tag2: t.text(),
    endpoint: t.text(),
    uri: t.text(),
    /** Hash of the content at `uri`, as the client states it. */
    hash: t.hex(),
    responses: t.integer().notNull().default(0),
    givenAt: t.bigint(),
    givenBlock: t.bigint(),
    giveTx: t.hex(),
    giveLogIndex: t.integer(),
    revokedAt: t.bigint(),
    revokedBlock: t.bigint(),
    revokeTx: t.hex(),
    revokeLogIndex: t.integer(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.passportId, table.client, table.feedbackIndex] }),
    byClient: index().on(table.client),
    byGiving: index().on(table.givenBlock, table.giveLogIndex),
    byRevocation: index().on(table.revokedBlock, table.revokeLogIndex),
    byPassportGiving: index().on(table.passportId, table.givenBlock, table.giveLogIndex),
    byPassportRevocation: index().on(table.passportId, table.revokedBlock, table.revokeLogIndex),
  }),
);

/** Every answer to feedback, by any account. */
export const feedbackResponse = onchainTable(
  "feedback_response",
  (t) => ({
    passportId: t.bigint().notNull(),
    client: t.hex().notNull(),
    feedbackIndex: t.bigint().notNull(),
    responder: t.hex().notNull(),
    uri: t.text(),
    hash: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.passportId, table.client, table.feedbackIndex, table.block, table.logIndex],
    }),
    byBlock: index().on(table.block, table.logIndex),
    byPassport: index().on(table.passportId, table.block, table.logIndex),
  }),
);

/**
 * A request to validate a passport's work, with the last response. Fields that were not indexed are
 * null.
 */
export const validation = onchainTable(
  "validation",
  (t) => ({
    requestHash: t.hex().primaryKey(),
    validator: t.hex().notNull(),
    passportId: t.bigint().notNull(),
    requestUri: t.text(),
    requestedAt: t.bigint(),
    requestedBlock: t.bigint(),
    requestTx: t.hex(),
    requestLogIndex: t.integer(),
    /** 0 (failed) to 100 (passed); null, like the next fields, before a response. */
    response: t.integer(),
    responseUri: t.text(),
    responseHash: t.hex(),
    tag: t.text(),
    respondedAt: t.bigint(),
    respondedBlock: t.bigint(),
    responseTx: t.hex(),
  }),
  (table) => ({
    byPassport: index().on(table.passportId, table.requestedBlock, table.requestLogIndex),
    byRequest: index().on(table.requestedBlock, table.requestLogIndex),
    byValidator: index().on(table.validator),
  }),
);

/** Every response to a request, including replaced ones. */
export const validationResponse = onchainTable(
  "validation_response",
  (t) => ({
    requestHash: t.hex().notNull(),
    validator: t.hex().notNull(),
    passportId: t.bigint().notNull(),
    response: t.integer().notNull(),
    uri: t.text(),
    hash: t.hex().notNull(),
    tag: t.text(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.requestHash, table.block, table.logIndex] }),
    byBlock: index().on(table.block, table.logIndex),
    byPassport: index().on(table.passportId, table.block, table.logIndex),
  }),
);

/**
 * Statements of others about a passport: the row exists from the first event on. Any account can
 * raise these numbers.
 */
export const passportTrust = onchainTable("passport_trust", (t) => ({
  passportId: t.bigint().primaryKey(),
  feedback: t.integer().notNull().default(0),
  /** How much of `feedback` was revoked. */
  feedbackRevoked: t.integer().notNull().default(0),
  /** Accounts that left feedback. */
  feedbackClients: t.integer().notNull().default(0),
  feedbackResponses: t.integer().notNull().default(0),
  validationRequests: t.integer().notNull().default(0),
  /** Replaced responses count too. */
  validationResponses: t.integer().notNull().default(0),
}));
