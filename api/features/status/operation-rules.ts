import type { OperationTable } from "../../platform/http/operations.ts";
import { probe, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of the service's state. */
export const operations = {
  getHealth: probe,
  getReady: probe,
  getOpenApiDocument: { ...publicRead, cache: "published" },
} as const satisfies OperationTable;
