import { ponder } from "ponder:registry";
import { agentKeys, agentKeysChange, soul } from "ponder:schema";
import { type Hex, zeroHash } from "viem";
import { occurrenceOf, updateBy } from "./occurrence.ts";

ponder.on("AgentKeys:AgentKeysSet", async ({ event, context }) => {
  const { tokenId, epoch, owner, version } = event.args;
  const record = {
    epoch,
    owner,
    version,
    keysHash: orNull(event.args.keysHash),
    archiveId: orNull(event.args.archiveId),
    onlyWithAgentWallet: event.args.onlyWithAgentWallet,
  };
  await context.db
    .insert(agentKeys)
    .values({ tokenId, ...record, ...updateBy(event) })
    .onConflictDoUpdate({ ...record, ...updateBy(event) });
  await context.db.insert(agentKeysChange).values({ tokenId, ...record, ...occurrenceOf(event) });
  await context.db.update(soul, { tokenId }).set({ lastActiveAt: event.block.timestamp });
});

/** Withdrawn keys are zero on chain. */
function orNull(bytes: Hex): Hex | null {
  return bytes === zeroHash ? null : bytes;
}
