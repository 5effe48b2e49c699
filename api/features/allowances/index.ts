// What other features and pages may use of this one.

export type { EndAllowanceMessage } from "../../../protocol/allowance.ts";
export type { Allowances } from "./allowances.ts";
export { formatAmount } from "./amounts.ts";
export type {
  AllowanceEnded as EndedAllowance,
  AllowanceSnapshot,
  EndAllowance,
  EndAllowanceRequest,
} from "./changes.ts";
