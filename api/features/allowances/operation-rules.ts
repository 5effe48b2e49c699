import type { OperationTable } from "../../platform/http/operations.ts";
import { ownerSigned } from "../../platform/http/operations.ts";

/** Rules of the operations that owners sign. */
export const operations = {
  setAllowance: { ...ownerSigned, typedData: "allowance" },
  changeAllowance: { ...ownerSigned, typedData: "allowance" },
  endAllowance: { ...ownerSigned, typedData: "allowance-end" },
} as const satisfies OperationTable;
