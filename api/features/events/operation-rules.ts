import type { OperationTable } from "../../platform/http/operations.ts";
import { publicList, publicStream } from "../../platform/http/operations.ts";

/** Rules of the operations of events. */
export const operations = {
  listEvents: { ...publicList, madeFrom: "database" },
  followEvents: publicStream,
} as const satisfies OperationTable;
