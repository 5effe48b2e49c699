import type { Hex } from "viem";

/** What every event says of its place in the chain. */
interface Placed {
  readonly block: { readonly number: bigint; readonly timestamp: bigint };
  readonly transaction: { readonly hash: Hex };
}

/** When and where an event happened, as the columns that every history ends with. */
export function occurrenceOf({ block, transaction }: Placed) {
  return { timestamp: block.timestamp, block: block.number, tx: transaction.hash };
}

/** The same as the columns of a row that keeps only its last change. */
export function updateBy({ block, transaction }: Placed) {
  return { updatedAt: block.timestamp, updatedBlock: block.number, updateTx: transaction.hash };
}
