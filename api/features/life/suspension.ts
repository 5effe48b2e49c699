import type { Hex } from "viem";
import type { Call, Relayer } from "../../platform/chain/transactions.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";

export interface SuspensionRegistry {
  /**
   * The call that records on chain who owns a soul's passport now; null when nothing is left to
   * record: it is recorded, the passport is with its sealer and no suspension stands, or the soul
   * has ended.
   */
  suspendCall(tokenId: bigint): Promise<Call | null>;
  /**
   * The call that writes a suspended soul's status to its passport; null when no suspension stands,
   * when the passport says it already, and when its owner did not approve the passport writer.
   */
  syncCall(tokenId: bigint): Promise<Call | null>;
}

export interface SuspensionRecords {
  /**
   * Records that nothing is left to do, and by which transaction; null when another account sent
   * it. Keeps the first.
   */
  recorded(id: string, transaction: Hex | null, at: Date): Promise<void>;
}

export interface SuspenderOptions {
  readonly registry: SuspensionRegistry;
  readonly relayer: Pick<Relayer, "run">;
  readonly records: SuspensionRecords;
  readonly clock: () => Date;
}

class NothingToDo extends Error {}

/**
 * The job that records a suspension on chain, and then on the passport. Any account may do both at
 * any time: finding either done is success.
 */
export function createSuspender(options: SuspenderOptions): JobHandler {
  const { registry, relayer, records, clock } = options;

  /** The transaction that did it; null when there was nothing to do, or another account did it. */
  async function carryOut(
    operationId: string,
    nextCall: () => Promise<Call | null>,
  ): Promise<Hex | null> {
    try {
      // First any transaction of an earlier attempt: after it there would seem to be nothing left.
      const receipt = await relayer.run(operationId, async () => {
        const call = await nextCall();
        if (call === null) throw new NothingToDo();
        return call;
      });
      return receipt.transactionHash;
    } catch (error) {
      const isDone = error instanceof NothingToDo || (await nextCall()) === null;
      if (!isDone) throw error;
      return null;
    }
  }

  return async ({ suspensionId, tokenId }) => {
    const id = String(suspensionId);
    const token = BigInt(tokenId ?? 0);
    const transaction = await carryOut(`suspend:${id}`, () => registry.suspendCall(token));
    await records.recorded(id, transaction, clock());
    await carryOut(`sync:${id}`, () => registry.syncCall(token));
  };
}
