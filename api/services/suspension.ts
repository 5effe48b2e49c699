import type { Hex } from "viem";
import type { JobHandler } from "./jobs.ts";
import type { Call, Relayer } from "./transactions.ts";

export interface SuspensionRegistry {
  /**
   * The call that records on chain that a soul's passport has another owner now, and marks the passport where the registry may;
   * null when nothing is left to record: it is recorded, the passport is back, or the soul has ended.
   */
  suspendCall(tokenId: bigint): Promise<Call | null>;
}

export interface SuspensionRecords {
  /** Notes that nothing is left to record, and with which of our transactions; null for somebody else's. Keeps the first. */
  recorded(id: string, transaction: Hex | null, at: Date): Promise<void>;
}

export interface SuspenderOptions {
  readonly registry: SuspensionRegistry;
  readonly relayer: Pick<Relayer, "run">;
  readonly records: SuspensionRecords;
  readonly clock: () => Date;
}

class NothingToRecord extends Error {}

/** The job that records a suspension on chain. Anybody may do so at any time: finding it done is success. */
export function createSuspender(options: SuspenderOptions): JobHandler {
  const { registry, relayer, records, clock } = options;

  return async ({ suspensionId, tokenId }) => {
    const id = String(suspensionId);
    const token = BigInt(tokenId ?? 0);
    let transaction: Hex | null = null;
    try {
      // First whatever a try before this one has sent: after it there would seem to be nothing left.
      const receipt = await relayer.run(`suspend:${id}`, async () => {
        const call = await registry.suspendCall(token);
        if (call === null) throw new NothingToRecord();
        return call;
      });
      transaction = receipt.transactionHash;
    } catch (error) {
      const isDone =
        error instanceof NothingToRecord || (await registry.suspendCall(token)) === null;
      if (!isDone) throw error;
    }
    await records.recorded(id, transaction, clock());
  };
}
