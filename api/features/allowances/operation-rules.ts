import type { OperationTable } from "../../platform/http/operations.ts";
import { freshRead, ownerSigned } from "../../platform/http/operations.ts";

/** Rules of the operations of allowances. What may be paid changes with every payment: no answer is cached. */
export const operations = {
  setAllowance: { ...ownerSigned, typedData: "allowance" },
  changeAllowance: { ...ownerSigned, typedData: "allowance" },
  endAllowance: { ...ownerSigned, typedData: "allowance-end" },
  getAllowance: freshRead,
  canSpend: freshRead,
  getAllowanceHistory: freshRead,
} as const satisfies OperationTable;
