import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of registration files. */
export const operations = {
  getRegistrationFile: publicRead,
} as const satisfies OperationTable;
