import type { OperationTable } from "../../platform/http/operations.ts";
import { page, publicList, publicStream } from "../../platform/http/operations.ts";

/** Rules of the operations of events. */
export const operations = {
  listEvents: { ...publicList, madeFrom: "database" },
  followEvents: publicStream,
  showEventsPage: { ...page, madeFrom: "database" },
} as const satisfies OperationTable;
