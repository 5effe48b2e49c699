import type { OperationTable } from "../../platform/http/operations.ts";
import { page } from "../../platform/http/operations.ts";

/** Rules of the pages on which visitors verify something. */
export const operations = {
  showVerificationPage: page,
  showDisclosureVerificationPage: page,
  showChronicleProofPage: page,
  showCertificateProofPage: page,
  showAlignmentProofPage: page,
} as const satisfies OperationTable;
