/** Why a payment is outside an allowance: `IAllowanceVault.Reason` by its values on chain. */
export const ALLOWANCE_REASONS = [
  "NONE",
  "ALLOWANCE_NOT_SET",
  "ALLOWANCE_INACTIVE",
  "EXCEEDS_PER_TRANSACTION_LIMIT",
  "EXCEEDS_DAILY_LIMIT",
  "TRANSFER_FAILED",
  "AGENT_WALLET_NOT_OPERATOR",
] as const;

/** Why an allowance refuses a payment. */
export type AllowanceReason = Exclude<(typeof ALLOWANCE_REASONS)[number], "NONE">;

/**
 * The name of the contract's value; null for none.
 *
 * @throws Error for a value that the contract does not have
 */
export function allowanceReason(value: number): AllowanceReason | null {
  const reason = ALLOWANCE_REASONS[value];
  if (reason === undefined) throw new Error(`The vault answered the unknown reason ${value}.`);
  return reason === "NONE" ? null : reason;
}
