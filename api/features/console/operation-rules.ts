import type { OperationTable } from "../../platform/http/operations.ts";
import { consolePage, page } from "../../platform/http/operations.ts";

/** Rules of the console's pages. */
export const operations = {
  showConsolePage: consolePage,
  showConsoleAgentPage: consolePage,
  showConsoleSectionPage: consolePage,
  showManagePage: page,
} as const satisfies OperationTable;
