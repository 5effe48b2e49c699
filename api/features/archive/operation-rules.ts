import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of archived content. */
export const operations = {
  getArchivedContent: { ...publicRead, cache: "immutable", ignoresParameters: true },
  getArchivedItem: { ...publicRead, cache: "immutable", ignoresParameters: true },
} as const satisfies OperationTable;
