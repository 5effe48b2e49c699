import type { Relayer } from "../../platform/chain/transactions.ts";
import type { LifeChain } from "./passports.chain.ts";
import type { WatchedIndex } from "./suspension-candidates.store.ts";

/** How long after a soul's end its passport is looked at: later approvals are the owner's to follow up. */
const LOOKED_AT_MS = 24 * 60 * 60 * 1000;
/** Passports in one round. */
const LIMIT = 20;

/** Clears what burned and released souls left on passports that the passport writer may write to. */
export function createEndedSouls({
  index,
  registry,
  relayer,
  clock,
}: {
  readonly index: Pick<WatchedIndex, "statusesLeft">;
  readonly registry: Pick<LifeChain, "clearCall">;
  readonly relayer: Pick<Relayer, "run">;
  readonly clock: () => Date;
}) {
  return async (signal: AbortSignal): Promise<void> => {
    const since = new Date(clock().getTime() - LOOKED_AT_MS);
    for (const tokenId of await index.statusesLeft(since, LIMIT)) {
      if (signal.aborted) return;
      const call = await registry.clearCall(tokenId);
      // A soul ends once. Until the index has seen the transaction, the same one is found again.
      if (call !== null) await relayer.run(`ended:${tokenId}`, async () => call);
    }
  };
}
