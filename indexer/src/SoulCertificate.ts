import { ponder } from "ponder:registry";
import { certificate } from "ponder:schema";
import { zeroAddress } from "viem";

// One certificate per token id. A reseal mints it again to the new owner; `mint` columns keep the
// first mint.
ponder.on("SoulCertificate:Transfer", async ({ event, context }) => {
  const { to, tokenId } = event.args;
  const { timestamp, number } = event.block;
  const tx = event.transaction.hash;

  const holding =
    to === zeroAddress
      ? { holder: null, burnedAt: timestamp, burnTx: tx }
      : { holder: to, burnedAt: null, burnTx: null };
  await context.db
    .insert(certificate)
    .values({ tokenId, mintedAt: timestamp, mintedBlock: number, mintTx: tx, ...holding })
    .onConflictDoUpdate(holding);
});
