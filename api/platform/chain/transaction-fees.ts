import type { PublicClient } from "viem";

/** Fees of one transaction, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/**
 * A replacement pays at least this many thousandths of the previous fee: nodes require a tenth
 * more.
 */
const BUMP_THOUSANDTHS = 1125n;
/** A transaction offering this multiple of the current fee is not stuck because of its fee. */
const FEE_CEILING = 4n;

/** The fees that the next blocks need. */
export async function currentFees(client: PublicClient): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas({
    type: "eip1559",
    chain: client.chain,
  });
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/**
 * Fees that nodes accept for a replacement of a transaction that pays `paid`; null when it already
 * pays far more than the current fee.
 */
export async function replacementFees(client: PublicClient, paid: Fees): Promise<Fees | null> {
  const current = await currentFees(client);
  const maxFeePerGas = larger(bumped(paid.maxFeePerGas), current.maxFeePerGas);
  if (maxFeePerGas > current.maxFeePerGas * FEE_CEILING) return null;
  const maxPriorityFeePerGas = larger(
    bumped(paid.maxPriorityFeePerGas),
    current.maxPriorityFeePerGas,
  );
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function bumped(fee: bigint): bigint {
  return (fee * BUMP_THOUSANDTHS + 999n) / 1000n;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
