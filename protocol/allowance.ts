import type { MessageOf } from "./message-of.ts";
import type { CommonOwnerField } from "./owner-messages.ts";
import { ALLOWANCE_VAULT_TYPES } from "./typed-data.ts";

const FIELDS = ALLOWANCE_VAULT_TYPES.SetAllowance;

/** What an owner signs to set or replace the limits: see `IAllowanceVault.SetAllowance`. */
export type SetAllowanceMessage = MessageOf<typeof FIELDS>;

/** What an owner signs to end an allowance: see `IAllowanceVault.DeactivateAllowance`. */
export type EndAllowanceMessage = MessageOf<typeof ALLOWANCE_VAULT_TYPES.DeactivateAllowance>;

/** What an owner permits its agent to pay. `validUntil` is the last Unix second, inclusive. */
export type AllowanceLimits = Omit<SetAllowanceMessage, CommonOwnerField>;

const isAmount = (field: (typeof FIELDS)[number]) => field.type === "uint56";

/** The limits that are amounts, in base units of the stablecoin. */
const AMOUNTS = FIELDS.filter(isAmount).map(({ name }) => name);
export type AllowanceAmount = (typeof AMOUNTS)[number];

/** Every amount of an allowance with a value of its own, in the order of the contract's struct. */
export function eachAmount<Value>(valueFor: (amount: AllowanceAmount) => Value) {
  const members = AMOUNTS.map((amount) => [amount, valueFor(amount)]);
  return Object.fromEntries(members) as Readonly<Record<AllowanceAmount, Value>>;
}
