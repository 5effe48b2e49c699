import type { OperationTable } from "../../platform/http/operations.ts";
import { freshRead, page, publicList } from "../../platform/http/operations.ts";

/** Rules of the operations of events. */
export const operations = {
  listEvents: publicList,
  followEvents: freshRead,
  showEventsPage: page,
} as const satisfies OperationTable;
