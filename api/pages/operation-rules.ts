import type { OperationTable } from "../platform/http/operations.ts";
import { page, publicRead } from "../platform/http/operations.ts";

/** Rules of the operations of the pages that belong to no feature. */
export const operations = {
  getPageAsset: { ...publicRead, cache: "immutable", origins: "own", answers: "asset" },
  showHomePage: page,
} as const satisfies OperationTable;
