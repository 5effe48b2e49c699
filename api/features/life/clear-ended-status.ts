import type { Call, Relayer } from "../../platform/chain/transactions.ts";

export interface EndedSoulsIndex {
  /** The last souls of their passports that ended since then, and whose passports still say what they were; at most `limit`. */
  statusesLeft(since: Date, limit: number): Promise<readonly bigint[]>;
}

export interface EndedSoulsRegistry {
  /** The call that clears an ended soul's status; null when the passport's owner did not approve the passport writer. */
  clearCall(tokenId: bigint): Promise<Call | null>;
}

export interface EndedSoulsOptions {
  readonly index: EndedSoulsIndex;
  readonly registry: EndedSoulsRegistry;
  readonly relayer: Pick<Relayer, "run">;
  readonly clock: () => Date;
}

/** How long after a soul's end its passport is looked at: later approvals are the owner's to follow up. */
const LOOKED_AT_MS = 24 * 60 * 60 * 1000;
/** Passports in one round. */
const LIMIT = 20;

/** Clears what burned and released souls left on passports that the passport writer may write to. */
export function createEndedSouls(options: EndedSoulsOptions) {
  const { index, registry, relayer, clock } = options;
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
