import type { OperationTable } from "../../platform/http/operations.ts";
import { page } from "../../platform/http/operations.ts";

/** Rules of the guides' and the reference's pages. */
export const operations = {
  showDocsPage: page,
  showGuidePage: page,
  showTutorialPage: page,
  showDecisionRecordPage: page,
  showReferencePage: page,
  showReferenceGroupPage: page,
} as const satisfies OperationTable;
