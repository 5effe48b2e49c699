import type { OperationTable } from "../../platform/http/operations.ts";
import { page } from "../../platform/http/operations.ts";

/** Rules of the operations of the explorer. */
export const operations = {
  showAgentsPage: { ...page, madeFrom: "database" },
  showPassportPage: { ...page, madeFrom: "database" },
  showCertificatePage: { ...page, madeFrom: "database" },
  getCertificateImage: { ...page, cache: "verification", answers: "asset" },
  showOwnerPage: { ...page, madeFrom: "database" },
} as const satisfies OperationTable;
