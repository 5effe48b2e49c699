import type { Hex } from "viem";
import type { Call, Relayer } from "../../platform/chain/transactions.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { LifeChain } from "./passports.chain.ts";
import type { SuspensionStore } from "./suspensions.store.ts";

class NothingToDo extends Error {}

/**
 * The job that records a suspension on chain, and then on the passport. Any account may do both at
 * any time: finding either done is success.
 */
export function createSuspender({
  registry,
  relayer,
  records,
  clock,
}: {
  readonly registry: Pick<LifeChain, "suspendCall" | "syncCall">;
  readonly relayer: Pick<Relayer, "run">;
  readonly records: Pick<SuspensionStore, "recorded">;
  readonly clock: () => Date;
}): JobHandler {
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
