import type { OperationTable } from "../../platform/http/operations.ts";
import { page, publicList, publicStream } from "../../platform/http/operations.ts";

/** Rules of the operations of events. */
export const operations = {
  listEvents: publicList,
  followEvents: publicStream,
  showEventsPage: page,
} as const satisfies OperationTable;
