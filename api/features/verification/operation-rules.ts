import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of verification. */
export const operations = {
  verifyAgent: { ...publicRead, rate: "verify", cache: "verification" },
} as const satisfies OperationTable;
