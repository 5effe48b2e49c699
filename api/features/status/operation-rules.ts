import type { OperationTable } from "../../platform/http/operations.ts";
import { freshRead, probe, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of the service's state. */
export const operations = {
  getHealth: probe,
  getReady: probe,
  getOpenApiDocument: { ...publicRead, cache: "published" },
  getStatus: freshRead,
} as const satisfies OperationTable;
