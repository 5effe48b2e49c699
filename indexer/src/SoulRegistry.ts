import { ponder } from "ponder:registry";
import {
  didArchive,
  operatorChange,
  passport,
  soul,
  soulEnd,
  soulEpoch,
  soulRevision,
  suspension,
} from "ponder:schema";
import { type Address, zeroAddress, zeroHash } from "viem";
import { nameSkeleton } from "../../protocol/name-skeleton.ts";
import { metadataPending } from "./metadata-pending.ts";
import { occurrenceOf } from "./occurrence.ts";
import { archiveText } from "./text.ts";
import { updateValidity, validityOf } from "./validity.ts";

// The log order of a registration is SoulRegistered, then SoulSealed or SoulProvisioned, then
// SoulReincarnated when it seals: later handlers find the soul's row. The passport's events,
// including its hand-over, come before. For a soul that is sealed later, SoulSealed and
// SoulReincarnated come with the seal.

ponder.on("SoulRegistry:SoulRegistered", async ({ event, context }) => {
  const { owner, newPassport, passportId, ...record } = event.args;
  const { timestamp, number } = event.block;
  const tx = event.transaction.hash;

  await context.db.insert(soul).values({
    ...record,
    nameSkeleton: nameSkeleton(record.name),
    passportId,
    owner,
    sealer: owner,
    newPassport,
    status: "PROVISIONAL",
    validity: "not_linked",
    mintTimestamp: timestamp,
    mintBlock: number,
    mintTx: tx,
    lastActiveAt: timestamp,
  });
  await context.db.insert(soulEpoch).values({
    tokenId: record.tokenId,
    epoch: record.epoch,
    sealer: owner,
    operator: record.operator,
    startedAt: timestamp,
    startBlock: number,
    startTx: tx,
    startLogIndex: event.log.logIndex,
  });

  // A bound passport may be older than the first indexed block. The contract checked that `owner`
  // owns it.
  const soulTokenId = record.tokenId;
  await context.db
    .insert(passport)
    .values({ id: passportId, owner, ownerSince: timestamp, ownerSinceBlock: number, soulTokenId })
    .onConflictDoUpdate((row) => (row.owner === null ? { owner, soulTokenId } : { soulTokenId }));
});

ponder.on("SoulRegistry:SoulProvisioned", async ({ event, context }) => {
  const { tokenId, soulHash, soulMerkleRoot, contentHash, archiveId } = event.args;
  await context.db.update(soul, { tokenId }).set({
    soulHash,
    soulMerkleRoot,
    contentHash,
    archiveId: archiveText(archiveId),
  });
});

ponder.on("SoulRegistry:SoulSealed", async ({ event, context }) => {
  const { tokenId, sealer, epoch, soulHash, soulMerkleRoot, contentHash, verifier } = event.args;
  const status = "SEALED";
  const archiveId = archiveText(event.args.archiveId);
  const humanVerifier = verifier === zeroAddress ? null : verifier;

  // Found first, so that the soul's row, the widest of all, is written once.
  const carrier = await context.db.find(passport, { id: event.args.passportId });
  const passportOwner = carrier?.owner ?? null;
  const { revisions: revision } = await context.db.update(soul, { tokenId }).set((row) => ({
    sealer,
    epoch,
    soulHash,
    soulMerkleRoot,
    contentHash,
    archiveId,
    agentUriHasIds: event.args.agentURIHasIds,
    genesisSoulHash: row.genesisSoulHash ?? soulHash,
    revisions: row.revisions + 1,
    humanVerifier,
    status,
    validity: validityOf({ status, sealer, suspendedOwner: row.suspendedOwner }, passportOwner),
    sealedAt: event.block.timestamp,
    sealBlock: event.block.number,
    sealTx: event.transaction.hash,
    lastActiveAt: event.block.timestamp,
  }));
  if (humanVerifier !== null) {
    await context.db.update(soulEpoch, { tokenId, epoch }).set({ humanVerifier });
  }
  await context.db.insert(soulRevision).values({
    tokenId,
    revision,
    kind: "SEAL",
    epoch,
    owner: sealer,
    soulHash,
    soulMerkleRoot,
    contentHash,
    verifier: humanVerifier,
    archiveId,
    ...occurrenceOf(event),
  });
});

ponder.on("SoulRegistry:SoulRevised", async ({ event, context }) => {
  const { tokenId, soulHash, soulMerkleRoot } = event.args;
  const archiveId = archiveText(event.args.archiveId);

  const { revisions: revision } = await context.db.update(soul, { tokenId }).set((row) => ({
    soulHash,
    soulMerkleRoot,
    archiveId,
    agentUriHasIds: event.args.agentURIWritten ? true : row.agentUriHasIds,
    revisions: row.revisions + 1,
    lastActiveAt: event.block.timestamp,
  }));
  await context.db.insert(soulRevision).values({
    ...event.args,
    revision,
    kind: "REVISION",
    archiveId,
    ...occurrenceOf(event),
  });
});

ponder.on("SoulRegistry:SoulResealed", async ({ event, context }) => {
  const { tokenId, sealer, epoch, operator, soulHash, soulMerkleRoot, contentHash } = event.args;
  const { previousSealer, verifier } = event.args;
  const { timestamp, number } = event.block;
  const tx = event.transaction.hash;
  const archiveId = archiveText(event.args.archiveId);

  /** A sealer that takes the soul back is the same owner as before. */
  const attested = (before: Address | null) => {
    if (verifier !== zeroAddress) return verifier;
    return sealer === previousSealer ? before : null;
  };

  const { revisions: revision, humanVerifier } = await context.db
    .update(soul, { tokenId })
    .set((row) => ({
      sealer,
      epoch,
      operator,
      soulHash,
      soulMerkleRoot,
      contentHash,
      archiveId,
      agentUriHasIds: event.args.agentURIWritten ? true : null,
      // A soul whose passport was sold while it was PROVISIONAL is sealed here for the first time.
      genesisSoulHash: row.genesisSoulHash ?? soulHash,
      revisions: row.revisions + 1,
      humanVerifier: attested(row.humanVerifier),
      didArchiveId: null,
      alignmentScore: null,
      alignmentArchiveId: null,
      alignmentBlock: null,
      alignmentAt: null,
      suspendedOwner: null,
      suspendedAt: null,
      suspendedBlock: null,
      status: "SEALED",
      sealedAt: timestamp,
      sealBlock: number,
      sealTx: tx,
      lastActiveAt: timestamp,
    }));
  await context.db
    .update(soulEpoch, { tokenId, epoch: epoch - 1 })
    .set({ endedAt: timestamp, endBlock: number, endTx: tx });
  await context.db.insert(soulEpoch).values({
    tokenId,
    epoch,
    sealer,
    operator,
    humanVerifier,
    startedAt: timestamp,
    startBlock: number,
    startTx: tx,
    startLogIndex: event.log.logIndex,
  });
  await context.db.insert(soulRevision).values({
    tokenId,
    revision,
    kind: "RESEAL",
    epoch,
    owner: sealer,
    previousSoulHash: event.args.previousSoulHash,
    soulHash,
    soulMerkleRoot,
    contentHash,
    verifier: verifier === zeroAddress ? null : verifier,
    archiveId,
    ...occurrenceOf(event),
  });
  await updateValidity(context, tokenId);
});

// Any account can cause this event, so it is not activity of the agent.
ponder.on("SoulRegistry:SoulVerificationSuspended", async ({ event, context }) => {
  const { tokenId, observedOwner } = event.args;
  await context.db.insert(suspension).values({
    ...event.args,
    ...occurrenceOf(event),
  });
  await context.db.update(soul, { tokenId }).set({
    suspendedOwner: observedOwner,
    suspendedAt: event.block.timestamp,
    suspendedBlock: event.block.number,
  });
  await updateValidity(context, tokenId);
});

ponder.on("SoulRegistry:SoulBurned", async ({ event, context }) => {
  const { tokenId, passportId, owner, epoch, reasonHash } = event.args;
  const { timestamp, number } = event.block;
  const tx = event.transaction.hash;

  await context.db.update(soul, { tokenId }).set({
    status: "BURNED",
    validity: "not_linked",
    burnedAt: timestamp,
    burnBlock: number,
    burnTx: tx,
    burnReasonHash: reasonHash,
    lastActiveAt: timestamp,
  });
  await context.db.update(passport, { id: passportId }).set({ soulTokenId: null });
  await context.db
    .update(soulEpoch, { tokenId, epoch })
    .set({ endedAt: timestamp, endBlock: number, endTx: tx });
  await context.db.insert(soulEnd).values({
    tokenId,
    kind: "BURNED",
    epoch,
    passportId,
    by: owner,
    reasonHash,
    ...occurrenceOf(event),
  });
});

ponder.on("SoulRegistry:SoulReleased", async ({ event, context }) => {
  const { tokenId, passportId, epoch, owner } = event.args;
  const { timestamp, number } = event.block;
  const tx = event.transaction.hash;

  await context.db.update(soul, { tokenId }).set({
    status: "BURNED",
    validity: "not_linked",
    suspendedOwner: null,
    suspendedAt: null,
    suspendedBlock: null,
    burnedAt: timestamp,
    burnBlock: number,
    burnTx: tx,
    releasedBy: owner,
    lastActiveAt: timestamp,
  });
  await context.db.update(passport, { id: passportId }).set({ soulTokenId: null });
  await context.db
    .update(soulEpoch, { tokenId, epoch })
    .set({ endedAt: timestamp, endBlock: number, endTx: tx });
  await context.db.insert(soulEnd).values({
    tokenId,
    kind: "RELEASED",
    epoch,
    passportId,
    by: owner,
    ...occurrenceOf(event),
  });
});

ponder.on("SoulRegistry:SoulReincarnated", async ({ event, context }) => {
  const { tokenId, soulContinuity, soulHashMatch } = event.args;
  await context.db.update(soul, { tokenId }).set({ soulContinuity, soulHashMatch });
});

// Comes before the events of the decision itself.
ponder.on("SoulRegistry:OwnerDecided", async ({ event, context }) => {
  const { tokenId, version } = event.args;
  await context.db.update(soul, { tokenId }).set({ version, lastActiveAt: event.block.timestamp });
});

ponder.on("SoulRegistry:OperatorChanged", async ({ event, context }) => {
  const { tokenId, operator } = event.args;
  await context.db.update(soul, { tokenId }).set({
    operator,
    lastActiveAt: event.block.timestamp,
  });
  await context.db.insert(operatorChange).values({ ...event.args, ...occurrenceOf(event) });
});

ponder.on("SoulRegistry:DidArchiveSet", async ({ event, context }) => {
  const { tokenId, archiveId } = event.args;
  await context.db.update(soul, { tokenId }).set({
    didArchiveId: archiveId === zeroHash ? null : archiveId,
    lastActiveAt: event.block.timestamp,
  });
  await context.db.insert(didArchive).values({
    ...event.args,
    ...occurrenceOf(event),
  });
});

// A batch leaves the metadata out.
ponder.on("SoulRegistry:MetadataPending", ({ event, context }) => metadataPending(event, context));
