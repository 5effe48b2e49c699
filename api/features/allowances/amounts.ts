import { formatUnits } from "viem";

const DECIMALS = 6;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * An amount in base units as a JSON integer. A larger one than 2^53-1 would be rounded, so that is
 * answered instead: the formatted text beside it is always exact.
 */
export function amountNumber(amount: bigint): number {
  return Number(amount > LARGEST ? LARGEST : amount);
}

/** An amount in units of the stablecoin: `2500000` is `2.5`. */
export function formatAmount(amount: bigint): string {
  return formatUnits(amount, DECIMALS);
}

/** Amounts as members of an answer: each as a number and, with `Formatted` after its name, as text. */
export function amountMembers<Name extends string>(amounts: Readonly<Record<Name, bigint>>) {
  const members = Object.entries<bigint>(amounts).flatMap(([name, amount]) => [
    [name, amountNumber(amount)],
    [`${name}Formatted`, formatAmount(amount)],
  ]);
  return Object.fromEntries(members) as Record<Name, number> & Record<`${Name}Formatted`, string>;
}
