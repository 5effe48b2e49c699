// What other features and pages may use of this one.

export type { Allowances } from "./allowances.ts";
export { formatAmount } from "./amounts.ts";
export type {
  AllowanceEnded as EndedAllowance,
  AllowanceSnapshot,
  EndAllowance,
  EndAllowanceMessage,
  EndAllowanceRequest,
} from "./changes.ts";
