import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKeySetReads } from "../../api/features/did/key-sets.store.ts";
import { byName, byPassport, byTokenId } from "../../api/soul/soul-ref.ts";
import * as schema from "../../indexer/ponder.schema.ts";
import { storageIdOf } from "../../protocol/index.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import { account, alice, bob, REGISTERED_ARCHIVE } from "../fixtures/indexed-chain.ts";
import { type ChainIndex, lower, type Mined, of, startChainIndex } from "./index-of-chain.ts";
import { rowsOf } from "./rows.ts";

const carol = account(3);
const stranger = account(4);

let index: ChainIndex;
let chain: ChainIndex["chain"];
let pool: ChainIndex["pool"];
let reads: ChainIndex["reads"];
let profiles: ChainIndex["profiles"];
let indexed: ChainIndex["indexed"];

beforeAll(async () => {
  index = await startChainIndex();
  ({ chain, pool, reads, profiles, indexed } = index);
});

afterAll(() => index?.stop());

async function soul(tokenId: bigint) {
  const { value } = await reads.agent(byTokenId(tokenId));
  if (value === null) throw new Error(`Soul ${tokenId} is not indexed`);
  return value.soul;
}

/** The rows of a table that belong to one soul, in the order of the chain. */
async function history<
  T extends
    | typeof schema.soulRevision
    | typeof schema.soulEpoch
    | typeof schema.suspension
    | typeof schema.operatorChange
    | typeof schema.didArchive
    | typeof schema.agentKeysChange
    | typeof schema.membershipChange,
>(table: T, tokenId: bigint) {
  return (await rowsOf(pool, table)).filter((row) => row.tokenId === tokenId);
}

async function profile(name: string) {
  return (await profiles.profile({ kind: "name", name })).value;
}

describe("a soul's life", () => {
  it("is a row for each hash and each epoch, and the current values on the soul", async () => {
    const born = await chain.register(alice, "life-agent", { operator: bob.address, seal: false });
    const { tokenId, passportId } = born;
    await indexed(born);
    expect(await soul(tokenId)).toMatchObject({
      status: "PROVISIONAL",
      soulHash: born.message.soulHash,
      soulMerkleRoot: born.message.soulMerkleRoot,
      contentHash: born.message.contentHash,
      archiveId: REGISTERED_ARCHIVE,
      genesisSoulHash: null,
      agentUriHasIds: null,
      sealedAt: null,
      revisions: 0,
      lastActiveAt: born.timestamp,
    });

    const sealed = await chain.seal(alice, tokenId, "first");
    const revised = await chain.revise(alice, tokenId, "second");
    const operated = await chain.changeOperator(alice, tokenId, stranger.address);
    const documented = await chain.setDidArchive(alice, tokenId, hashOf("did"));
    await indexed(documented);
    expect(await soul(tokenId)).toMatchObject({
      status: "SEALED",
      soulHash: hashOf("soul of second"),
      soulMerkleRoot: hashOf("root of second"),
      contentHash: hashOf("content of first"),
      genesisSoulHash: hashOf("soul of first"),
      archiveId: storageIdOf(revised.archiveId),
      revisions: 2,
      operator: stranger.address,
      version: 4,
      didArchiveId: hashOf("did"),
      sealedAt: sealed.timestamp,
      sealBlock: sealed.blockNumber,
      lastActiveAt: documented.timestamp,
    });
    expect((await reads.passport(passportId)).value).toMatchObject({
      metadataPendingAt: revised.timestamp,
      metadataPendingBlock: revised.blockNumber,
    });

    const sold = await chain.transferPassport(passportId, alice, carol.address);
    const suspended = await chain.suspend(stranger, tokenId);
    await indexed(suspended);
    expect(sold.blockNumber).toBeLessThan(suspended.blockNumber);
    expect(await soul(tokenId)).toMatchObject({
      sealer: alice.address,
      suspendedOwner: carol.address,
      suspendedAt: suspended.timestamp,
      suspendedBlock: suspended.blockNumber,
      lastActiveAt: documented.timestamp,
    });

    const resealed = await chain.reseal(carol, tokenId, "third", bob.address);
    await indexed(resealed);
    expect(await soul(tokenId)).toMatchObject({
      sealer: carol.address,
      owner: alice.address,
      epoch: 2,
      operator: bob.address,
      version: 5,
      soulHash: hashOf("soul of third"),
      contentHash: hashOf("content of third"),
      genesisSoulHash: hashOf("soul of first"),
      archiveId: storageIdOf(resealed.archiveId),
      agentUriHasIds: null,
      didArchiveId: null,
      suspendedOwner: null,
      suspendedAt: null,
      suspendedBlock: null,
      revisions: 3,
      sealedAt: resealed.timestamp,
    });
    const [certificate] = await drizzle(pool)
      .select()
      .from(schema.certificate)
      .where(eq(schema.certificate.tokenId, tokenId));
    expect(certificate).toEqual({
      tokenId,
      holder: lower(carol.address),
      mintedAt: born.timestamp,
      mintedBlock: born.blockNumber,
      mintTx: born.transactionHash,
      burnedAt: null,
      burnTx: null,
    });

    const burned = await chain.burn(carol, tokenId);
    await indexed(burned);
    expect(await soul(tokenId)).toMatchObject({
      status: "BURNED",
      burnedAt: burned.timestamp,
      burnBlock: burned.blockNumber,
      burnTx: burned.transactionHash,
      burnReasonHash: burned.reasonHash,
    });
    expect((await reads.agent(byPassport(passportId))).value).toBeNull();

    expect(await history(schema.soulRevision, tokenId)).toEqual([
      {
        tokenId,
        revision: 1,
        kind: "SEAL",
        epoch: 1,
        owner: lower(alice.address),
        previousSoulHash: null,
        soulHash: hashOf("soul of first"),
        soulMerkleRoot: hashOf("root of first"),
        contentHash: hashOf("content of first"),
        verifier: null,
        dataHash: null,
        archiveId: storageIdOf(sealed.archiveId),
        ...of(sealed),
      },
      {
        tokenId,
        revision: 2,
        kind: "REVISION",
        epoch: 1,
        owner: lower(alice.address),
        previousSoulHash: hashOf("soul of first"),
        soulHash: hashOf("soul of second"),
        soulMerkleRoot: hashOf("root of second"),
        contentHash: null,
        verifier: null,
        dataHash: hashOf("data of second"),
        archiveId: storageIdOf(revised.archiveId),
        ...of(revised),
      },
      {
        tokenId,
        revision: 3,
        kind: "RESEAL",
        epoch: 2,
        owner: lower(carol.address),
        previousSoulHash: hashOf("soul of second"),
        soulHash: hashOf("soul of third"),
        soulMerkleRoot: hashOf("root of third"),
        contentHash: hashOf("content of third"),
        verifier: null,
        dataHash: null,
        archiveId: storageIdOf(resealed.archiveId),
        ...of(resealed),
      },
    ]);
    expect(await history(schema.soulEpoch, tokenId)).toEqual([
      {
        tokenId,
        epoch: 1,
        sealer: lower(alice.address),
        operator: lower(bob.address),
        humanVerifier: null,
        startedAt: born.timestamp,
        startBlock: born.blockNumber,
        startTx: born.transactionHash,
        startLogIndex: expect.any(Number),
        endedAt: resealed.timestamp,
        endBlock: resealed.blockNumber,
        endTx: resealed.transactionHash,
      },
      {
        tokenId,
        epoch: 2,
        sealer: lower(carol.address),
        operator: lower(bob.address),
        humanVerifier: null,
        startedAt: resealed.timestamp,
        startBlock: resealed.blockNumber,
        startTx: resealed.transactionHash,
        startLogIndex: expect.any(Number),
        endedAt: burned.timestamp,
        endBlock: burned.blockNumber,
        endTx: burned.transactionHash,
      },
    ]);
    expect(await history(schema.suspension, tokenId)).toEqual([
      {
        tokenId,
        passportId,
        observedOwner: lower(carol.address),
        sealer: lower(alice.address),
        ...of(suspended),
      },
    ]);
    expect(await history(schema.operatorChange, tokenId)).toEqual([
      {
        tokenId,
        version: 3,
        epoch: 1,
        previousOperator: lower(bob.address),
        operator: lower(stranger.address),
        ...of(operated),
      },
    ]);
    expect(await history(schema.didArchive, tokenId)).toEqual([
      {
        tokenId,
        epoch: 1,
        archiveId: hashOf("did"),
        previousArchiveId: `0x${"00".repeat(32)}`,
        ...of(documented),
      },
    ]);
  });

  it("sold while PROVISIONAL begins with the hash of the reseal", async () => {
    const { tokenId, passportId } = await chain.register(alice, "sold-early", { seal: false });
    await chain.transferPassport(passportId, alice, carol.address);
    await chain.suspend(stranger, tokenId);
    const resealed = await chain.reseal(carol, tokenId, "only");
    await indexed(resealed);
    expect(await soul(tokenId)).toMatchObject({
      genesisSoulHash: hashOf("soul of only"),
      revisions: 1,
      operator: null,
    });
  });

  it("is suspended until a reseal, also while its passport is back at the sealer", async () => {
    const { tokenId, passportId } = await chain.register(alice, "round-trip");
    await chain.transferPassport(passportId, alice, carol.address);
    const suspended = await chain.suspend(stranger, tokenId);
    await chain.transferPassport(passportId, carol, alice.address);
    const returned = await chain.suspend(stranger, tokenId);
    await indexed(returned);
    expect(await soul(tokenId)).toMatchObject({
      sealer: alice.address,
      suspendedOwner: alice.address,
      suspendedAt: returned.timestamp,
      suspendedBlock: returned.blockNumber,
    });
    expect((await reads.passport(passportId)).value?.owner).toBe(alice.address);
    expect(await profile("round-trip")).toMatchObject({ soulValidity: { status: "suspended" } });
    expect(await history(schema.suspension, tokenId)).toMatchObject([
      { observedOwner: lower(carol.address), sealer: lower(alice.address), ...of(suspended) },
      { observedOwner: lower(alice.address), sealer: lower(alice.address), ...of(returned) },
    ]);

    const resealed = await chain.reseal(alice, tokenId, "taken back", bob.address);
    await indexed(resealed);
    expect(await soul(tokenId)).toMatchObject({
      sealer: alice.address,
      epoch: 2,
      operator: bob.address,
      suspendedOwner: null,
      suspendedAt: null,
      suspendedBlock: null,
    });
    expect(await profile("round-trip")).toMatchObject({ soulValidity: { status: "valid" } });
  });

  it("ends with its release by the passport's new owner", async () => {
    const { tokenId, passportId } = await chain.register(alice, "released");
    await chain.transferPassport(passportId, alice, carol.address);
    await chain.suspend(stranger, tokenId);
    const released = await chain.release(carol, tokenId);
    await indexed(released);
    expect(await soul(tokenId)).toMatchObject({
      status: "BURNED",
      sealer: alice.address,
      epoch: 1,
      version: 1,
      suspendedOwner: null,
      suspendedAt: null,
      suspendedBlock: null,
      burnedAt: released.timestamp,
      burnBlock: released.blockNumber,
      burnTx: released.transactionHash,
      burnReasonHash: null,
      releasedBy: lower(carol.address),
    });
    expect(await history(schema.soulEpoch, tokenId)).toMatchObject([
      { epoch: 1, endedAt: released.timestamp, endTx: released.transactionHash },
    ]);
    const [certificate] = await drizzle(pool)
      .select()
      .from(schema.certificate)
      .where(eq(schema.certificate.tokenId, tokenId));
    expect(certificate).toMatchObject({ holder: null, burnTx: released.transactionHash });
    expect((await reads.agent(byPassport(passportId))).value).toBeNull();
  });

  it("burned while PROVISIONAL keeps the values that were never sealed", async () => {
    const born = await chain.register(alice, "never-sealed", { seal: false });
    const burned = await chain.burn(alice, born.tokenId);
    await indexed(burned);
    expect(await soul(born.tokenId)).toMatchObject({
      status: "BURNED",
      soulHash: born.message.soulHash,
      archiveId: REGISTERED_ARCHIVE,
      genesisSoulHash: null,
      sealedAt: null,
      revisions: 0,
    });
  });

  it("records whether the URI that its owner signed was written", async () => {
    const { agentId } = await chain.registerPassport(alice, "https://old.example");
    const bound = { bindPassport: true, passportId: agentId };
    const born = await chain.register(alice, "signs-a-uri", { seal: false, ...bound });
    const pending = await chain.seal(alice, born.tokenId, "unapproved", {
      agentURI: "https://unwritten.example",
    });
    await indexed(pending);
    expect((await soul(born.tokenId)).agentUriHasIds).toBe(false);
    expect((await reads.passport(agentId)).value).toMatchObject({
      uri: "https://old.example",
      metadataPendingAt: pending.timestamp,
      metadataPendingBlock: pending.blockNumber,
    });

    await chain.transferPassport(agentId, alice, carol.address);
    await chain.suspend(stranger, born.tokenId);
    await chain.approveWriter(carol, agentId);
    const resealed = await chain.reseal(carol, born.tokenId, "approved", bob.address, {
      agentURI: "https://new.example",
    });
    await indexed(resealed);
    expect((await soul(born.tokenId)).agentUriHasIds).toBe(true);
    expect((await reads.passport(agentId)).value).toMatchObject({
      uri: "https://new.example",
      metadataPendingAt: null,
      metadataPendingBlock: null,
    });
  });

  it("counts the owner's passport writes apart from the decisions on the soul", async () => {
    const { tokenId, passportId } = await chain.register(alice, "writes-its-passport");
    await chain.approveWriter(alice, passportId);
    await chain.writeAgentUri(alice, tokenId, "https://first.example");
    const written = await chain.writeMetadata(alice, tokenId, "site", "0xab");
    await indexed(written);
    expect(await soul(tokenId)).toMatchObject({
      version: 0,
      passportVersion: 2,
      lastActiveAt: written.timestamp,
    });

    const revised = await chain.revise(alice, tokenId, "a change");
    const synced = await chain.syncPassports(stranger, [tokenId]);
    await indexed(synced);
    expect(await soul(tokenId)).toMatchObject({
      version: 1,
      passportVersion: 2,
      lastActiveAt: revised.timestamp,
    });
    expect((await reads.passport(passportId)).value).toMatchObject({
      uri: "https://first.example",
      metadataPendingAt: null,
    });
  });

  it("continues in a reincarnation, which names the parts that it has of its parent", async () => {
    const parent = await chain.register(alice, "former-life");
    await chain.burn(alice, parent.tokenId);
    const child = await chain.register(alice, "later-life", {
      parentTokenId: parent.tokenId,
      bindPassport: true,
      passportId: parent.passportId,
    });
    await indexed(child);
    expect(await soul(child.tokenId)).toMatchObject({
      parentTokenId: parent.tokenId,
      soulContinuity: true,
      soulHashMatch: true,
      newPassport: false,
    });
    expect((await reads.agent(byPassport(parent.passportId))).value?.soul.name).toBe("later-life");
    expect((await reads.passport(parent.passportId)).value).toMatchObject({
      metadataPendingAt: child.timestamp,
    });
  });

  it("of a batch has a row like any other, with its metadata pending", async () => {
    const batch = await chain.registerBatch(alice, ["batch-one", "batch-two"]);
    await indexed(batch);
    for (const { tokenId, passportId, name } of batch.souls) {
      expect(await soul(tokenId)).toMatchObject({
        name,
        status: "SEALED",
        soulHash: hashOf(`soul of ${name}`),
        agentUriHasIds: false,
        revisions: 1,
      });
      expect((await reads.passport(passportId)).value).toMatchObject({
        owner: alice.address,
        metadataPendingBlock: batch.blockNumber,
      });
    }

    const [first] = batch.souls;
    if (!first) throw new Error("The batch registered no agent.");
    await chain.approveWriter(alice, first.passportId);
    const synced = await chain.syncPassports(stranger, [first.tokenId]);
    await indexed(synced);
    expect((await reads.passport(first.passportId)).value).toMatchObject({
      metadataPendingAt: null,
      metadataPendingBlock: null,
    });
  });
});

describe("a soul that another agent sealed first", () => {
  const duplicateOf = async (tokenId: bigint) =>
    (await reads.agent(byTokenId(tokenId))).value?.duplicateOf;
  /** The hash and the root of one text, for a registration. */
  const soulOf = (text: string) => ({
    soulHash: hashOf(`soul of ${text}`),
    soulMerkleRoot: hashOf(`root of ${text}`),
  });

  it("is a duplicate by its hash or by its root, while the first is not", async () => {
    const first = await chain.register(alice, "copied", soulOf("copied"));
    const { soulHash, soulMerkleRoot } = soulOf("copied");
    const ownRoot = hashOf("root of a copy by hash");
    const byHash = await chain.register(bob, "copy-by-hash", {
      soulHash,
      soulMerkleRoot: ownRoot,
    });
    const ownHash = hashOf("soul of a copy by root");
    const byRoot = await chain.register(carol, "copy-by-root", {
      soulHash: ownHash,
      soulMerkleRoot,
    });
    // Only its root is another agent's: that of the copy, which had it first.
    const bySecondRoot = await chain.register(carol, "copy-of-a-copy", {
      soulHash: hashOf("soul of a copy of a copy"),
      soulMerkleRoot: ownRoot,
    });
    await indexed(bySecondRoot);
    const original = {
      tokenId: first.tokenId,
      agentName: "copied",
      genesisStatus: "SEALED",
      sealedAt: new Date(Number(first.timestamp) * 1000),
    };
    expect(await duplicateOf(first.tokenId)).toBeNull();
    expect(await duplicateOf(byHash.tokenId)).toEqual(original);
    expect(await duplicateOf(byRoot.tokenId)).toEqual(original);
    expect(await duplicateOf(bySecondRoot.tokenId)).toEqual({
      tokenId: byHash.tokenId,
      agentName: "copy-by-hash",
      genesisStatus: "SEALED",
      sealedAt: new Date(Number(byHash.timestamp) * 1000),
    });
  });

  it("is a duplicate after a revision into it, also when the first was revised and burned since", async () => {
    const copy = await chain.register(bob, "revised-copy", soulOf("its own"));
    const first = await chain.register(alice, "first-sealer", soulOf("taken"));
    await chain.revise(alice, first.tokenId, "newer");
    await chain.burn(alice, first.tokenId);
    await indexed(await chain.revise(bob, copy.tokenId, "taken"));
    expect(await duplicateOf(copy.tokenId)).toEqual({
      tokenId: first.tokenId,
      agentName: "first-sealer",
      genesisStatus: "BURNED",
      sealedAt: new Date(Number(first.timestamp) * 1000),
    });
    expect(await duplicateOf(first.tokenId)).toBeNull();

    // A revision into a unique hash ends it.
    await indexed(await chain.revise(bob, copy.tokenId, "its own second"));
    expect(await duplicateOf(copy.tokenId)).toBeNull();
  });

  it("is not a duplicate while it is not sealed", async () => {
    await chain.register(alice, "sealed-first", soulOf("waiting"));
    const waiting = await chain.register(bob, "not-sealed", { ...soulOf("waiting"), seal: false });
    await indexed(waiting);
    expect(await duplicateOf(waiting.tokenId)).toBeNull();
    const sealed = await chain.seal(bob, waiting.tokenId, "waiting");
    await indexed(sealed);
    expect(await duplicateOf(waiting.tokenId)).toMatchObject({ agentName: "sealed-first" });
  });
});

describe("human attestation", () => {
  it("names the adapter of this epoch, and the proof is used up", async () => {
    const proposed = await chain.proposeVerifier(stranger.address);
    const { verifier } = proposed;
    await indexed(proposed);
    const row = () =>
      rowsOf(pool, schema.humanVerifier).then((rows) =>
        rows.find(({ address }) => address === lower(verifier)),
      );
    const updated = (by: Mined) => ({
      updatedAt: by.timestamp,
      updatedBlock: by.blockNumber,
      updateTx: by.transactionHash,
    });
    const proposal = {
      address: lower(verifier),
      // The local chain's delay is zero.
      activatableAt: proposed.timestamp,
      activatedBy: null,
    };
    expect(await row()).toEqual({ ...proposal, status: "PROPOSED", ...updated(proposed) });
    const activated = await chain.activateVerifier(carol, verifier);
    await indexed(activated);
    expect(await row()).toEqual({
      ...proposal,
      status: "APPROVED",
      activatedBy: lower(carol.address),
      ...updated(activated),
    });

    const nullifier = hashOf("a person");
    const proof = await chain.humanProof({
      attester: stranger,
      verifier,
      owner: alice.address,
      name: "human-agent",
      nullifier,
    });
    const { tokenId, passportId, ...born } = await chain.register(alice, "human-agent", {}, proof);
    await indexed(born);
    expect(await soul(tokenId)).toMatchObject({ humanVerifier: verifier });
    expect(await rowsOf(pool, schema.humanProof)).toEqual([
      {
        consumer: lower(chain.soulRegistry),
        verifier: lower(verifier),
        nullifier,
        action: proof.action,
        signal: proof.signal,
        ...of(born),
      },
    ]);

    await chain.transferPassport(passportId, alice, carol.address);
    await chain.suspend(stranger, tokenId);
    const resealed = await chain.reseal(carol, tokenId, "another person's");
    await indexed(resealed);
    expect(await soul(tokenId)).toMatchObject({ humanVerifier: null });
    expect(await history(schema.soulEpoch, tokenId)).toMatchObject([
      { epoch: 1, humanVerifier: lower(verifier) },
      { epoch: 2, humanVerifier: null },
    ]);

    // A sealer who takes its soul back stays attested; a new owner needs a new proof.
    const own = await chain.humanProof({
      attester: stranger,
      verifier,
      owner: carol.address,
      name: "human-agent",
      epoch: 3,
      nullifier: hashOf("another person"),
    });
    await chain.transferPassport(passportId, carol, alice.address);
    await chain.suspend(stranger, tokenId);
    await chain.transferPassport(passportId, alice, carol.address);
    await chain.suspend(stranger, tokenId);
    await chain.reseal(carol, tokenId, "attested", zeroAddress, { proof: own });
    await chain.transferPassport(passportId, carol, alice.address);
    await chain.suspend(stranger, tokenId);
    await chain.transferPassport(passportId, alice, carol.address);
    await chain.suspend(stranger, tokenId);
    const takenBack = await chain.reseal(carol, tokenId, "taken back");
    await indexed(takenBack);
    expect(await soul(tokenId)).toMatchObject({ epoch: 4, humanVerifier: verifier });
    expect(await history(schema.soulEpoch, tokenId)).toMatchObject([
      { epoch: 1, humanVerifier: lower(verifier) },
      { epoch: 2, humanVerifier: null },
      { epoch: 3, humanVerifier: lower(verifier) },
      { epoch: 4, humanVerifier: lower(verifier) },
    ]);

    const removed = await chain.removeVerifier(verifier);
    await indexed(removed);
    expect(await row()).toEqual({ ...proposal, status: "REMOVED", ...updated(removed) });
  });
});

describe("an organization", () => {
  it("has the same admins, members and count as the contract", async () => {
    const founded = await chain.createOrganization(alice, "The Guild");
    const { organizationId } = founded;
    const untidy = await chain.createOrganization(alice, "nul \0 inside");
    await chain.changeAdmin(alice, organizationId, bob.address);
    const handed = await chain.acceptAdmin(bob, organizationId);
    const own = await chain.register(bob, "guild-own", { organizationId });
    const other = await chain.register(alice, "guild-other");
    const joined = await chain.join(alice, other.tokenId, organizationId, bob);
    await indexed(joined);

    const organizations = await rowsOf(pool, schema.organization);
    expect(organizations.find(({ id }) => id === organizationId)).toEqual({
      id: organizationId,
      admin: lower(bob.address),
      pendingAdmin: null,
      founder: lower(alice.address),
      name: "The Guild",
      version: 1,
      memberCount: 2n,
      createdAt: founded.timestamp,
      createdBlock: founded.blockNumber,
      createTx: founded.transactionHash,
    });
    expect(organizations.find(({ id }) => id === untidy.organizationId)?.name).toBeNull();
    const admins = await rowsOf(pool, schema.organizationAdmin);
    expect(admins.filter((row) => row.organizationId === organizationId)).toEqual([
      {
        organizationId,
        version: 0,
        admin: lower(alice.address),
        kind: "FOUNDED",
        ...of(founded),
      },
      {
        organizationId,
        version: 1,
        admin: lower(bob.address),
        kind: "HANDED_OVER",
        ...of(handed),
      },
    ]);
    expect(await profile("guild-own")).toMatchObject({ organizationId });
    expect(await profile("guild-other")).toMatchObject({ organizationId });

    // Sold: the membership is inactive. Resealed: it has ended, and counts until it is pruned.
    await chain.transferPassport(other.passportId, alice, carol.address);
    const suspended = await chain.suspend(stranger, other.tokenId);
    await indexed(suspended);
    expect(await profile("guild-other")).toMatchObject({ organizationId: 0n });
    const resealed = await chain.reseal(carol, other.tokenId, "under carol");
    await indexed(resealed);
    expect(await profile("guild-other")).toMatchObject({
      organizationId: 0n,
      soulValidity: { status: "valid" },
    });
    const pruned = await chain.prune(stranger, other.tokenId);
    const left = await chain.leave(bob, own.tokenId);
    await indexed(left);
    expect(await profile("guild-own")).toMatchObject({ organizationId: 0n });

    const after = (await rowsOf(pool, schema.organization)).find(({ id }) => id === organizationId);
    expect(after?.memberCount).toBe(0n);
    const memberships = await rowsOf(pool, schema.membership);
    expect(memberships.find((row) => row.tokenId === other.tokenId)).toEqual({
      tokenId: other.tokenId,
      organizationId: null,
      epoch: null,
      version: 1,
      updatedAt: pruned.timestamp,
      updatedBlock: pruned.blockNumber,
      updateTx: pruned.transactionHash,
    });
    const change = { tokenId: other.tokenId, organizationId, epoch: 1 };
    expect(await history(schema.membershipChange, other.tokenId)).toEqual([
      {
        ...change,
        version: 1,
        kind: "JOINED",
        by: lower(alice.address),
        admin: lower(bob.address),
        memberCount: 2n,
        ...of(joined),
      },
      {
        ...change,
        version: 1,
        kind: "PRUNED",
        by: null,
        admin: null,
        memberCount: 1n,
        ...of(pruned),
      },
    ]);
    expect((await history(schema.membershipChange, own.tokenId)).at(-1)).toEqual({
      ...change,
      tokenId: own.tokenId,
      version: 2,
      kind: "LEFT",
      by: lower(bob.address),
      admin: null,
      memberCount: 0n,
      ...of(left),
    });
  });

  it("has a pending admin from its naming until it accepts, or until the naming is replaced or withdrawn", async () => {
    const { organizationId } = await chain.createOrganization(alice, "Two steps");
    const row = async () =>
      (await rowsOf(pool, schema.organization)).find(({ id }) => id === organizationId);
    const admins = async () =>
      (await rowsOf(pool, schema.organizationAdmin))
        .filter((one) => one.organizationId === organizationId)
        .map(({ version, admin }) => [version, admin]);
    const seen = async (receipt: Parameters<typeof indexed>[0]) => {
      await indexed(receipt);
      const { admin, pendingAdmin, version } = (await row()) ?? {};
      return [admin, pendingAdmin, version];
    };

    const [a, b, c] = [alice, bob, carol].map(({ address }) => lower(address));
    expect(await seen(await chain.changeAdmin(alice, organizationId, bob.address))).toEqual([
      a,
      b,
      1,
    ]);
    expect(await seen(await chain.changeAdmin(alice, organizationId, carol.address))).toEqual([
      a,
      c,
      2,
    ]);
    expect(await seen(await chain.changeAdmin(alice, organizationId, zeroAddress))).toEqual([
      a,
      null,
      3,
    ]);
    expect(await seen(await chain.changeAdmin(alice, organizationId, bob.address, bob))).toEqual([
      b,
      null,
      4,
    ]);
    expect(await seen(await chain.changeAdmin(bob, organizationId, carol.address))).toEqual([
      b,
      c,
      5,
    ]);
    expect(await seen(await chain.acceptAdmin(carol, organizationId))).toEqual([c, null, 5]);
    expect(await admins()).toEqual([
      [0, a],
      [4, b],
      [5, c],
    ]);
  });

  it("gains every agent of a batch by one event", async () => {
    const { organizationId } = await chain.createOrganization(alice, "Fleet");
    const names = Array.from({ length: 8 }, (_, i) => `fleet-${i}`);
    const registered = await chain.registerBatch(alice, names, organizationId);
    await indexed(registered);

    const tokenIds = registered.souls.map(({ tokenId }) => tokenId);
    expect(tokenIds).toHaveLength(8);
    const memberships = await rowsOf(pool, schema.membership);
    for (const tokenId of tokenIds) {
      expect(memberships.find((row) => row.tokenId === tokenId)).toEqual({
        tokenId,
        organizationId,
        epoch: 1,
        version: 1,
        updatedAt: registered.timestamp,
        updatedBlock: registered.blockNumber,
        updateTx: registered.transactionHash,
      });
      expect(await history(schema.membershipChange, tokenId)).toEqual([
        {
          tokenId,
          version: 1,
          kind: "JOINED",
          organizationId,
          epoch: 1,
          by: lower(alice.address),
          admin: lower(alice.address),
          memberCount: 8n,
          ...of(registered),
        },
      ]);
    }
    const row = (await rowsOf(pool, schema.organization)).find(({ id }) => id === organizationId);
    expect(row?.memberCount).toBe(8n);
    expect(await profile("fleet-7")).toMatchObject({ organizationId });
  });
});

describe("the keys of an agent", () => {
  it("are a row for each change, and the last ones with their epoch", async () => {
    const { tokenId } = await chain.register(alice, "with-keys");
    const keySets = createKeySetReads(pool);
    const set = { hash: hashOf("keys"), archiveId: hashOf("where they are") };
    const first = await chain.setKeys(alice, tokenId, set);
    await indexed(first);
    const named = { epoch: 1, keysHash: set.hash, archiveId: set.archiveId };
    const record = { ...named, onlyWithAgentWallet: false };
    expect((await keySets.keysOf(tokenId)).value).toEqual({ ...named, hasAgentWallet: true });

    const second = await chain.setKeys(alice, tokenId, null);
    await indexed(second);
    const none = { epoch: 1, keysHash: null, archiveId: null };
    const withdrawn = { ...none, onlyWithAgentWallet: false };
    const reading = await keySets.keysOf(tokenId);
    expect(reading.value).toEqual({ ...none, hasAgentWallet: true });
    expect(reading.at.block).toBeGreaterThanOrEqual(second.blockNumber);
    expect((await keySets.keysOf(999_999n)).value).toBeNull();

    const by = { tokenId, owner: lower(alice.address) };
    expect(await history(schema.agentKeysChange, tokenId)).toEqual([
      { ...by, ...record, version: 1, ...of(first) },
      { ...by, ...withdrawn, version: 2, ...of(second) },
    ]);
    expect((await rowsOf(pool, schema.agentKeys)).find((row) => row.tokenId === tokenId)).toEqual({
      ...by,
      ...withdrawn,
      version: 2,
      updatedAt: second.timestamp,
      updatedBlock: second.blockNumber,
      updateTx: second.transactionHash,
    });
    expect((await soul(tokenId)).lastActiveAt).toBe(second.timestamp);
  });

  it("that need the agentWallet have it while it is the operator", async () => {
    // The identity registry names who registers a passport directly as its agentWallet.
    const { agentId } = await chain.registerPassport(alice, "https://alice.example/wallet");
    const bound = { bindPassport: true, passportId: agentId };
    const { tokenId } = await chain.register(alice, "with-wallet", bound);
    const keySets = createKeySetReads(pool);
    const set = { hash: hashOf("keys"), archiveId: hashOf("where they are") };
    const hasAgentWallet = async (from: Mined) => {
      await indexed(from);
      const { value } = await keySets.keysOf(tokenId);
      const isNamed = (await chain.keysOf(tokenId)) === set.hash;
      return [value?.hasAgentWallet, isNamed];
    };
    const first = await chain.setKeys(alice, tokenId, { ...set, onlyWithAgentWallet: true });
    expect(await hasAgentWallet(first)).toEqual([true, true]);
    const operated = await chain.changeOperator(alice, tokenId, bob.address);
    expect(await hasAgentWallet(operated)).toEqual([false, false]);
    expect(await hasAgentWallet(await chain.setKeys(alice, tokenId, set))).toEqual([true, true]);
    await chain.changeOperator(alice, tokenId, alice.address);
    const again = await chain.setKeys(alice, tokenId, { ...set, onlyWithAgentWallet: true });
    expect(await hasAgentWallet(again)).toEqual([true, true]);
    await chain.transferPassport(agentId, alice, carol.address);
    const returned = await chain.transferPassport(agentId, carol, alice.address);
    expect(await hasAgentWallet(returned)).toEqual([false, false]);
  });
});

describe("a binding", () => {
  it("is stored with its history, and a profile counts the active ones", async () => {
    const from = await chain.register(alice, "binds");
    const to = await chain.register(bob, "bound");
    const fresh = await chain.register(bob, "bound-too");
    const first = await chain.bindByService(from.tokenId, to.tokenId, 2, "to try");
    const second = await chain.bind(alice, from.tokenId, to.tokenId, 4, "for \0 good");
    const other = await chain.bind(alice, from.tokenId, fresh.tokenId, 3, "too");
    await indexed(other);

    const key = { fromTokenId: from.tokenId, toTokenId: to.tokenId };
    const trusted = {
      ...key,
      trustLevel: 4,
      authority: "OWNER",
      setBy: lower(alice.address),
      epoch: 1,
      toEpoch: 1,
      version: 1,
      serviceVersion: 1,
      contextHash: hashOf("for \0 good"),
      context: null,
    };
    const bindings = await rowsOf(pool, schema.binding);
    expect(bindings.find((row) => row.toTokenId === to.tokenId)).toEqual({
      ...trusted,
      bindingId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      createdAt: first.timestamp,
      updatedAt: second.timestamp,
      updatedBlock: second.blockNumber,
      updateTx: second.transactionHash,
    });
    const changes = (await rowsOf(pool, schema.bindingChange)).filter(
      (row) => row.toTokenId === to.tokenId,
    );
    expect(changes).toEqual([
      {
        ...trusted,
        previousTrustLevel: 0,
        trustLevel: 2,
        authority: "SERVICE",
        setBy: lower(account(9).address),
        version: 0,
        contextHash: hashOf("to try"),
        context: "to try",
        ...of(first),
      },
      { ...trusted, previousTrustLevel: 2, ...of(second) },
    ]);
    expect((await profile("binds")).activity).toMatchObject({
      agentBindings: 2,
      lastActive: new Date(Number(other.timestamp) * 1000),
    });
    expect((await profile("bound")).activity.agentBindings).toBe(0);

    // One is revoked, and the agent of the second is sold.
    const revoked = await chain.bind(alice, from.tokenId, fresh.tokenId, 1, "no more");
    await indexed(revoked);
    expect((await profile("binds")).activity.agentBindings).toBe(1);
    const sold = await chain.transferPassport(to.passportId, bob, carol.address);
    await indexed(sold);
    expect((await profile("binds")).activity.agentBindings).toBe(0);
    await chain.suspend(stranger, to.tokenId);
    const resealed = await chain.reseal(carol, to.tokenId, "under carol", zeroAddress);
    await indexed(resealed);
    expect((await profile("binds")).activity.agentBindings).toBe(0);
  });

  it("of a sold agent does not count", async () => {
    const from = await chain.register(alice, "binds-and-leaves");
    const to = await chain.register(bob, "stays-bound");
    await chain.bind(alice, from.tokenId, to.tokenId, 4, "for now");
    const sold = await chain.transferPassport(from.passportId, alice, carol.address);
    await indexed(sold);
    expect((await reads.agent(byName("binds-and-leaves"))).value?.bindings).toBe(1);
    expect((await profile("binds-and-leaves")).activity.agentBindings).toBe(0);
  });
});
