import type { OperationTable } from "../../platform/http/operations.ts";
import { freshRead } from "../../platform/http/operations.ts";

/** Rules of the operations of names. */
export const operations = {
  checkName: freshRead,
  nameAvailable: freshRead,
} as const satisfies OperationTable;
