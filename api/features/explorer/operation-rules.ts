import type { OperationTable } from "../../platform/http/operations.ts";
import { page } from "../../platform/http/operations.ts";

/** Rules of the operations of the explorer. */
export const operations = {
  showAgentsPage: page,
  showPassportPage: page,
  showCertificatePage: page,
  getCertificateImage: { ...page, cache: "verification", answers: "asset" },
  showOwnerPage: page,
} as const satisfies OperationTable;
