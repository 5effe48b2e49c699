import type { Hex } from "viem";

/** The position of an event in the chain. */
interface Placed {
  readonly block: { readonly number: bigint; readonly timestamp: bigint };
  readonly transaction: { readonly hash: Hex };
  readonly log: { readonly logIndex: number };
}

/** The columns that every history row ends with: time and position of the event. */
export function occurrenceOf({ block, transaction, log }: Placed) {
  return {
    timestamp: block.timestamp,
    block: block.number,
    tx: transaction.hash,
    logIndex: log.logIndex,
  };
}

/** The same for a row that holds only its last change. */
export function updateBy({ block, transaction }: Omit<Placed, "log">) {
  return { updatedAt: block.timestamp, updatedBlock: block.number, updateTx: transaction.hash };
}
