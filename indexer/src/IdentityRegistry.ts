import { type Context, ponder } from "ponder:registry";
import { passport, passportMetadata, passportOwner } from "ponder:schema";
import { type Address, isAddressEqual, zeroAddress } from "viem";
import { metadataKey, storableBytes, storableText } from "./text.ts";
import { updateValidity } from "./validity.ts";

// A third party's registry, possibly older than the first indexed block: any event can be the first
// one of a passport. The log order is Transfer, then Registered, then MetadataSet. On a transfer,
// the clearing of agentWallet comes first.

ponder.on("IdentityRegistry:Transfer", async ({ event, context }) => {
  const { from, to, tokenId } = event.args;
  const { number: block, timestamp } = event.block;
  await context.db.insert(passportOwner).values({
    passportId: tokenId,
    block,
    logIndex: event.log.logIndex,
    kind: transferKind(context, from, to),
    from,
    to,
    timestamp,
    tx: event.transaction.hash,
  });

  const moved = from === zeroAddress ? 0 : 1;
  const { soulTokenId } = await context.db
    .insert(passport)
    .values({
      id: tokenId,
      owner: to,
      ownerSince: timestamp,
      ownerSinceBlock: block,
      transferCount: moved,
    })
    .onConflictDoUpdate((row) =>
      // A passport can be sent to its own owner: that does not restart the ownership.
      from === to && row.owner !== null
        ? {}
        : {
            owner: to,
            ownerSince: timestamp,
            ownerSinceBlock: block,
            transferCount: row.transferCount + moved,
          },
    );
  if (soulTokenId !== null) await updateValidity(context, soulTokenId);
});

/** The passport mint holds a passport only until it hands it to its first owner. */
function transferKind({ contracts }: Context, from: Address, to: Address) {
  if (from === zeroAddress) return "MINTED";
  if (from === to) return "KEPT";
  const { address } = contracts.PassportMint;
  return isAddressEqual(from, address) ? "HANDED_OVER" : "TRANSFERRED";
}

ponder.on("IdentityRegistry:Registered", async ({ event, context }) => {
  const { agentId, agentURI, owner } = event.args;
  const registration = {
    uri: storableText(agentURI),
    registrant: owner,
    registeredAt: event.block.timestamp,
    registeredBlock: event.block.number,
    registeredTx: event.transaction.hash,
  };
  await context.db
    .insert(passport)
    .values({ id: agentId, ...registration })
    .onConflictDoUpdate(registration);
});

ponder.on("IdentityRegistry:URIUpdated", async ({ event, context }) => {
  const { agentId, newURI } = event.args;
  const uri = storableText(newURI);
  await context.db.insert(passport).values({ id: agentId, uri }).onConflictDoUpdate({ uri });
});

ponder.on("IdentityRegistry:MetadataSet", async ({ event, context }) => {
  const { agentId, indexedMetadataKey, metadataKey: decodedKey, metadataValue } = event.args;
  const change = {
    value: storableBytes(metadataValue),
    updatedAt: event.block.timestamp,
    updatedBlock: event.block.number,
    updatedTx: event.transaction.hash,
  };
  await context.db
    .insert(passportMetadata)
    .values({
      passportId: agentId,
      key: metadataKey(decodedKey, indexedMetadataKey),
      ...change,
    })
    .onConflictDoUpdate(change);
});
