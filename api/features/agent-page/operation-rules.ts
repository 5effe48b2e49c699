import type { OperationTable } from "../../platform/http/operations.ts";
import { page } from "../../platform/http/operations.ts";

/** Rules of the operation of an agent's page. */
export const operations = {
  showProfilePage: { ...page, madeFrom: "database" },
} as const satisfies OperationTable;
