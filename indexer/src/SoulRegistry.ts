import { ponder } from "ponder:registry";
import { passport, soul } from "ponder:schema";
import { storableText } from "./text.ts";

ponder.on("SoulRegistry:SoulRegistered", async ({ event, context }) => {
  const { owner, newPassport, passportId, ...record } = event.args;
  const { timestamp, number } = event.block;

  await context.db.insert(soul).values({
    ...record,
    passportId,
    owner,
    sealer: owner,
    newPassport,
    status: "PROVISIONAL",
    mintTimestamp: timestamp,
    mintBlock: number,
    mintTx: event.transaction.hash,
  });

  // A bound passport may be older than the first indexed block. The contract has just seen that `owner` owns it.
  if (!newPassport) {
    await context.db
      .insert(passport)
      .values({ id: passportId, owner, ownerSince: timestamp, ownerSinceBlock: number })
      .onConflictDoUpdate((row) => (row.owner === null ? { owner } : {}));
  }
});

ponder.on("SoulRegistry:SoulSealed", async ({ event, context }) => {
  const { tokenId, sealer, epoch, soulHash, soulMerkleRoot, contentHash, archiveId } = event.args;

  await context.db.update(soul, { tokenId }).set((row) => ({
    sealer,
    epoch,
    soulHash,
    soulMerkleRoot,
    contentHash,
    archiveId: storableText(archiveId),
    agentUriHasIds: event.args.agentURIHasIds,
    genesisSoulHash: row.genesisSoulHash ?? soulHash,
    status: "SEALED",
    sealedAt: event.block.timestamp,
    sealBlock: event.block.number,
    sealTx: event.transaction.hash,
  }));
});
