import { index, onchainTable, primaryKey } from "ponder";
import { AUTHORITIES, REASONS } from "./enums.ts";

// Rows hold what events say; whatever can be derived (DID, URLs, validity) is computed when read. Times are Unix seconds of
// the block. Uniqueness that contracts guarantee (a name, a live passport binding) is indexed but not constrained here: a
// constraint could only stop the indexer, never correct the chain.
//
// Where a row is "current", another table keeps its history. What an owner granted carries the epoch it was granted in: whether
// it still acts is a comparison with the soul's epoch and the passport's owner when it is read, so that no sale has to touch it.

/** When and where an event happened, as the columns of a history end. */
const occurrence = (t: ColumnBuilders) => ({
  timestamp: t.bigint().notNull(),
  block: t.bigint().notNull(),
  tx: t.hex().notNull(),
});

type ColumnBuilders = Parameters<
  Extract<Parameters<typeof onchainTable>[1], (...args: never[]) => unknown>
>[0];

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
    /**
     * When one of our souls last left out this passport's `svc*` metadata; null for never, and once it was written again. The
     * passport's controller may have written it since as well: compare with `passport_metadata`.
     */
    metadataPendingAt: t.bigint(),
    metadataPendingBlock: t.bigint(),
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
  (table) => ({
    pk: primaryKey({ columns: [table.passportId, table.block, table.logIndex] }),
    byBlock: index().on(table.block),
  }),
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
    passportId: t.bigint().notNull(),
    /** Who registered it. */
    owner: t.hex().notNull(),
    /** Who sealed this epoch; the owner while PROVISIONAL. */
    sealer: t.hex().notNull(),
    /** The zero address when the sealer acts for the agent. */
    operator: t.hex().notNull(),
    /** What the owner's next operation on the soul is signed over: how many of its owners' decisions were carried out. */
    version: t.integer().notNull().default(0),
    /** The same for what the owner signs for the passport writer: its passport's URI and metadata. */
    passportVersion: t.integer().notNull().default(0),
    /** 0 for none. */
    parentTokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    status: t.text({ enum: ["PROVISIONAL", "SEALED", "BURNED"] }).notNull(),
    /** Index of the contract's AgentType. */
    agentType: t.integer().notNull(),
    /** Whether this registration made the passport, instead of binding one that existed. */
    newPassport: t.boolean().notNull(),
    /**
     * As the registry's record holds them. While PROVISIONAL, and of a soul that ended so, they are what its owner signed at the
     * registration and never sealed: `sealedAt` tells.
     */
    soulHash: t.hex(),
    soulMerkleRoot: t.hex(),
    /** SHA-256 of the public registration file without ids, as signed with the registration, the last seal or the last reseal. */
    contentHash: t.hex(),
    /**
     * Archive of the registration, or of the last seal, revision or reseal: 43 characters of base64url. Named by the registrar and
     * not covered by the owner's signature; null for none.
     */
    archiveId: t.text(),
    /** The soul hash of the first seal; null while nothing was sealed. */
    genesisSoulHash: t.hex(),
    /**
     * Of the last seal or reseal: whether the passport's URI names its ids, or is the one that the owner signed. Null while nothing
     * was sealed, and after a reseal that wrote no URI.
     */
    agentUriHasIds: t.boolean(),
    /** How many rows `soul_revision` has for it. */
    revisions: t.integer().notNull().default(0),
    /** The adapter that attested the sealer to be a person, in this epoch; null for nobody. */
    humanVerifier: t.hex(),
    /** Archive of the DID document in this epoch; null for none. */
    didArchiveId: t.hex(),
    /**
     * The owner that the last `suspend` saw, and when. While it stands the soul is not valid, also when the passport is back at its
     * sealer: only a reseal or a release clears it.
     */
    suspendedOwner: t.hex(),
    suspendedAt: t.bigint(),
    suspendedBlock: t.bigint(),
    /** Null unless it is the reincarnation of its burned parent: whether it has that one's last hash, and its first one. */
    soulContinuity: t.boolean(),
    soulHashMatch: t.boolean(),
    /** 0 to 100, as last recorded in this epoch; null, like the three after it, without a record. */
    alignmentScore: t.integer(),
    alignmentArchiveId: t.hex(),
    /** The block whose state was scored. */
    alignmentBlock: t.bigint(),
    /** When it was recorded. */
    alignmentAt: t.bigint(),
    mintTimestamp: t.bigint().notNull(),
    mintBlock: t.bigint().notNull(),
    mintTx: t.hex().notNull(),
    /** The seal of this epoch: a reseal's from then on. */
    sealedAt: t.bigint(),
    sealBlock: t.bigint(),
    sealTx: t.hex(),
    burnedAt: t.bigint(),
    burnBlock: t.bigint(),
    burnTx: t.hex(),
    /** keccak256 of the reason's UTF-8; null when it was released. */
    burnReasonHash: t.hex(),
    /** The passport's new owner, who ended the soul instead of resealing it; null unless it was released. */
    releasedBy: t.hex(),
    /** When its owner or operator, or the service with its API key, last did something with it on chain. */
    lastActiveAt: t.bigint().notNull(),
  }),
  (table) => ({
    byName: index().on(table.name),
    byPassport: index().on(table.passportId),
    bySealer: index().on(table.sealer),
    byOperator: index().on(table.operator),
  }),
);

/** Every soul hash that a soul has had, numbered from 1. */
export const soulRevision = onchainTable(
  "soul_revision",
  (t) => ({
    tokenId: t.bigint().notNull(),
    revision: t.integer().notNull(),
    kind: t.text({ enum: ["SEAL", "REVISION", "RESEAL"] }).notNull(),
    epoch: t.integer().notNull(),
    /** Whose decision it was. */
    owner: t.hex().notNull(),
    /**
     * The soul hash before: null of a seal, and of a REVISION or RESEAL what the contract says it replaced, which of a soul that
     * was PROVISIONAL was never sealed.
     */
    previousSoulHash: t.hex(),
    soulHash: t.hex().notNull(),
    soulMerkleRoot: t.hex().notNull(),
    /** Of a SEAL or RESEAL: SHA-256 of the public registration file without ids. */
    contentHash: t.hex(),
    /** Of a REVISION: SHA-256 of its public record. */
    dataHash: t.hex(),
    /** As `soul.archiveId`. */
    archiveId: t.text(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.revision] }),
    // Both find copies: a hash or root that another soul had first.
    bySoulHash: index().on(table.soulHash),
    byMerkleRoot: index().on(table.soulMerkleRoot),
  }),
);

/** Every epoch of a soul: from its registration or a reseal to the next reseal, its burn or its release. */
export const soulEpoch = onchainTable(
  "soul_epoch",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    sealer: t.hex().notNull(),
    /** With which it began: `operator_change` has what followed. */
    operator: t.hex().notNull(),
    /** The adapter that attested the sealer to be a person; null for nobody. */
    humanVerifier: t.hex(),
    startedAt: t.bigint().notNull(),
    startBlock: t.bigint().notNull(),
    startTx: t.hex().notNull(),
    /** Null, like the two after it, of the current epoch of a soul that is not burned. */
    endedAt: t.bigint(),
    endBlock: t.bigint(),
    endTx: t.hex(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.epoch] }),
    bySealer: index().on(table.sealer),
  }),
);

/**
 * Every record of who owns a soul's passport: another owner than the soul's sealer, or the sealer again after
 * such a record.
 */
export const suspension = onchainTable(
  "suspension",
  (t) => ({
    tokenId: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    passportId: t.bigint().notNull(),
    observedOwner: t.hex().notNull(),
    sealer: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }) }),
);

/** Every change of a soul's operator but those that come with a reseal. */
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
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.version] }) }),
);

/** Every archive that a soul's DID document was said to be in. */
export const didArchive = onchainTable(
  "did_archive",
  (t) => ({
    tokenId: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    epoch: t.integer().notNull(),
    /** 32 bytes; zero takes the document back. */
    archiveId: t.hex().notNull(),
    previousArchiveId: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }) }),
);

/** An organization. */
export const organization = onchainTable(
  "organization",
  (t) => ({
    id: t.bigint().primaryKey(),
    admin: t.hex().notNull(),
    /** Named by the admin and not accepted yet; null for none. It decides nothing. */
    pendingAdmin: t.hex(),
    /** Who founded it. */
    founder: t.hex().notNull(),
    /** As its founder wrote it: untrusted, not unique. Null when it is no text that can be stored. */
    name: t.text(),
    /** What the next naming of an admin, and the pending admin's acceptance, is signed over. */
    version: t.integer().notNull().default(0),
    /** Memberships on record: a dead one counts until it is pruned or replaced, a suspended one always. */
    memberCount: t.bigint().notNull().default(0n),
    createdAt: t.bigint().notNull(),
    createdBlock: t.bigint().notNull(),
    createTx: t.hex().notNull(),
  }),
  (table) => ({ byAdmin: index().on(table.admin) }),
);

/** Every admin of an organization; version 0 is its founder, each other the version at which that admin was named. */
export const organizationAdmin = onchainTable(
  "organization_admin",
  (t) => ({
    organizationId: t.bigint().notNull(),
    version: t.integer().notNull(),
    admin: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.organizationId, table.version] }) }),
);

/** An agent's membership as the contract records it, dead or alive: it acts only in the soul's current epoch. */
export const membership = onchainTable(
  "membership",
  (t) => ({
    tokenId: t.bigint().primaryKey(),
    /** Null, like `epoch`, after an end. */
    organizationId: t.bigint(),
    /** The soul's epoch in which it began. */
    epoch: t.integer(),
    /** What the next join or leave is signed over. */
    version: t.integer().notNull(),
    updatedAt: t.bigint().notNull(),
    updatedBlock: t.bigint().notNull(),
    updateTx: t.hex().notNull(),
  }),
  (table) => ({ byOrganization: index().on(table.organizationId) }),
);

/** Every begin and end of a membership. */
export const membershipChange = onchainTable(
  "membership_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    /** What the next join or leave is signed over from then on; a pruning leaves it as it was. */
    version: t.integer().notNull(),
    /** PRUNED: it was dead already, and the record was removed. */
    kind: t.text({ enum: ["JOINED", "LEFT", "PRUNED"] }).notNull(),
    organizationId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    /** The agent's owner who joined, or who ended it; null when pruned. */
    by: t.hex(),
    /** The admin who agreed; null but for JOINED. */
    admin: t.hex(),
    /** The organization's, from then on. */
    memberCount: t.bigint().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }),
    byOrganization: index().on(table.organizationId),
  }),
);

/** How far one agent trusts another now; whether it still acts depends on the epochs and owners of both. */
export const binding = onchainTable(
  "binding",
  (t) => ({
    fromTokenId: t.bigint().notNull(),
    toTokenId: t.bigint().notNull(),
    bindingId: t.hex().notNull(),
    /** Index of the contract's TrustLevel: 1 revoked, 2 limited, 3 verified, 4 trusted. */
    trustLevel: t.integer().notNull(),
    authority: t.text({ enum: AUTHORITIES }).notNull(),
    /** The owner of `fromTokenId`, or with SERVICE whoever held the role. */
    setBy: t.hex().notNull(),
    /** The epoch of `fromTokenId` in which it was written. */
    epoch: t.integer().notNull(),
    toEpoch: t.integer().notNull(),
    /** How often an owner set it: what the owner's next change is signed over. */
    version: t.integer().notNull(),
    /** How often the service set it: what its next change names. */
    serviceVersion: t.integer().notNull(),
    contextHash: t.hex().notNull(),
    /** As whoever set it wrote it: untrusted. Null when it is no text that can be stored. */
    context: t.text(),
    createdAt: t.bigint().notNull(),
    updatedAt: t.bigint().notNull(),
    updatedBlock: t.bigint().notNull(),
    updateTx: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.fromTokenId, table.toTokenId] }),
    byBindingId: index().on(table.bindingId),
    byTo: index().on(table.toTokenId),
  }),
);

/** Every time a binding was set: each raises one of the two versions. */
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
  }),
);

/** A soul's allowance in one epoch, and what was paid from it. Amounts are base units of the stablecoin. */
export const allowance = onchainTable(
  "allowance",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    owner: t.hex().notNull(),
    /** Counts the owner's decisions; 0 when there was none, and payments were only tried or reported. */
    version: t.integer().notNull().default(0),
    /** What the owner last decided. */
    active: t.boolean().notNull().default(false),
    perTransaction: t.bigint().notNull().default(0n),
    dailyLimit: t.bigint().notNull().default(0n),
    /** Unix seconds of the last second in which `active` counts; null when the owner deactivated it or set none. */
    validUntil: t.bigint(),
    /** The UTC day that `spentToday` is of, in days since 1970; null before the first payment. On any other day it is nothing. */
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

/** Every decision of an owner on an allowance. */
export const allowanceChange = onchainTable(
  "allowance_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    epoch: t.integer().notNull(),
    version: t.integer().notNull(),
    kind: t.text({ enum: ["SET", "DEACTIVATED"] }).notNull(),
    owner: t.hex().notNull(),
    /** Null, like `dailyLimit` and `validUntil`, when deactivated. */
    perTransaction: t.bigint(),
    dailyLimit: t.bigint(),
    validUntil: t.bigint(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.epoch, table.version] }) }),
);

/** Every payment that an operator made, was refused, or said to have made elsewhere. */
export const spend = onchainTable(
  "spend",
  (t) => ({
    tokenId: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    kind: t.text({ enum: ["ALLOWED", "REFUSED", "REPORTED"] }).notNull(),
    epoch: t.integer().notNull(),
    owner: t.hex().notNull(),
    operator: t.hex().notNull(),
    /** The zero address of a report whose payment went to no account of this chain. */
    recipient: t.hex().notNull(),
    /** An operator may report any number. */
    amount: t.bigint().notNull(),
    /** Whether the allowance permitted it. A permitted payment is REFUSED when the stablecoin did not move. */
    withinLimits: t.boolean().notNull(),
    reason: t.text({ enum: REASONS }).notNull(),
    /** Of that day in this epoch; with the payment itself unless it was refused. */
    spentToday: t.bigint().notNull(),
    /** What the operator gave: of a report where the payment can be found, else what it was for. Zero for nothing. */
    paymentRef: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.block, table.logIndex] }) }),
);

/** What a recipient was paid through the allowances of one owner. */
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
export const batch = onchainTable("batch", (t) => ({
  id: t.bigint().primaryKey(),
  root: t.hex().notNull(),
  /** Zero for batch 1. */
  previousRoot: t.hex().notNull(),
  leafCount: t.bigint().notNull(),
  /** Where the list of all leaves is stored: 32 bytes. */
  leavesArchiveId: t.hex().notNull(),
  ...occurrence(t),
}));

/** Every alignment score of a soul, with the epoch that it belongs to. */
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
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.scoredBlock] }) }),
);

/** The public keys that an owner last set for an agent: they act only in the soul's current epoch, and while it is valid. */
export const agentKeys = onchainTable("agent_keys", (t) => ({
  tokenId: t.bigint().primaryKey(),
  epoch: t.integer().notNull(),
  /** Who set them. */
  owner: t.hex().notNull(),
  /** What the next change is signed over. */
  version: t.integer().notNull(),
  /** SHA-256 of the canonical key set; null, like the archive, once withdrawn. */
  keysHash: t.hex(),
  /** Where the key set is stored: 32 bytes. Named by the owner: what is there may be anything. */
  archiveId: t.hex(),
  updatedAt: t.bigint().notNull(),
  updatedBlock: t.bigint().notNull(),
  updateTx: t.hex().notNull(),
}));

/** Every time that an agent's keys were set or withdrawn. */
export const agentKeysChange = onchainTable(
  "agent_keys_change",
  (t) => ({
    tokenId: t.bigint().notNull(),
    version: t.integer().notNull(),
    epoch: t.integer().notNull(),
    owner: t.hex().notNull(),
    keysHash: t.hex(),
    archiveId: t.hex(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.tokenId, table.version] }) }),
);

/** An adapter that may attest, or might have, that an owner is a person. */
export const humanVerifier = onchainTable("human_verifier", (t) => ({
  address: t.hex().primaryKey(),
  status: t.text({ enum: ["PROPOSED", "APPROVED", "REMOVED"] }).notNull(),
  /** Of the last proposal, when it can be activated; null when that was not indexed. */
  activatableAt: t.bigint(),
  /** Who activated it; null unless APPROVED. */
  activatedBy: t.hex(),
  updatedAt: t.bigint().notNull(),
  updatedBlock: t.bigint().notNull(),
  updateTx: t.hex().notNull(),
}));

/** Every proof of personhood that was used up. Anybody may use one up for itself: only the soul registry's count here. */
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
  (table) => ({ pk: primaryKey({ columns: [table.consumer, table.verifier, table.nullifier] }) }),
);

/**
 * Feedback on any passport, by anybody. Texts are null when they cannot be stored; what the first event said is null when only
 * a later one was indexed.
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
    /** What `uri` leads to, as the client says. */
    hash: t.hex(),
    responses: t.integer().notNull().default(0),
    givenAt: t.bigint(),
    givenBlock: t.bigint(),
    giveTx: t.hex(),
    revokedAt: t.bigint(),
    revokedBlock: t.bigint(),
    revokeTx: t.hex(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.passportId, table.client, table.feedbackIndex] }),
    byClient: index().on(table.client),
  }),
);

/** Every answer to a piece of feedback, by anybody. */
export const feedbackResponse = onchainTable(
  "feedback_response",
  (t) => ({
    passportId: t.bigint().notNull(),
    client: t.hex().notNull(),
    feedbackIndex: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    responder: t.hex().notNull(),
    uri: t.text(),
    hash: t.hex().notNull(),
    ...occurrence(t),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.passportId, table.client, table.feedbackIndex, table.block, table.logIndex],
    }),
  }),
);

/** A request to validate a passport's work, with the last response. As of `feedback`, what was not indexed is null. */
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
    /** 0 (failed) to 100 (passed); null, like the fields after it, while there is none. */
    response: t.integer(),
    responseUri: t.text(),
    responseHash: t.hex(),
    tag: t.text(),
    respondedAt: t.bigint(),
    respondedBlock: t.bigint(),
    responseTx: t.hex(),
  }),
  (table) => ({
    byPassport: index().on(table.passportId),
    byValidator: index().on(table.validator),
  }),
);

/** Every response to a request, the replaced ones too. */
export const validationResponse = onchainTable(
  "validation_response",
  (t) => ({
    requestHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    validator: t.hex().notNull(),
    passportId: t.bigint().notNull(),
    response: t.integer().notNull(),
    uri: t.text(),
    hash: t.hex().notNull(),
    tag: t.text(),
    ...occurrence(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.requestHash, table.block, table.logIndex] }) }),
);

/** How much others have said of a passport: a row exists from the first event on. Anybody can raise these numbers. */
export const passportTrust = onchainTable("passport_trust", (t) => ({
  passportId: t.bigint().primaryKey(),
  feedback: t.integer().notNull().default(0),
  /** Of `feedback`, how many were taken back. */
  feedbackRevoked: t.integer().notNull().default(0),
  /** Accounts that left feedback. */
  feedbackClients: t.integer().notNull().default(0),
  feedbackResponses: t.integer().notNull().default(0),
  validationRequests: t.integer().notNull().default(0),
  /** Replaced responses count too. */
  validationResponses: t.integer().notNull().default(0),
}));
