// What other features and pages may use of this one.

export type { Allowances } from "./allowances.ts";
export { formatAmount } from "./amounts.ts";
