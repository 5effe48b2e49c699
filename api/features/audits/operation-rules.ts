import type { OperationTable } from "../../platform/http/operations.ts";
import { UPLOAD_BYTES } from "../../platform/http/operations.ts";

/** Beside the file: the headers of the parts, the salt and the signature. */
const FORM_BYTES = 64 * 1024;
/** Largest upload for an organization: it has to arrive within two minutes, as every request has. */
const ORGANIZATION_UPLOAD_BYTES = 100 * 1024 * 1024;

/**
 * The upload's own signature is its credential. It covers the files, so it is checked behind them.
 * A repetition would need the stored values, so none is answered.
 */
const upload = {
  access: "none",
  effect: "writes",
  rate: "write",
  cache: "never",
  idempotent: false,
  holdsValues: true,
  streamsBody: true,
  origins: "own",
} as const;

/** Rules of the uploads of audits. */
export const operations = {
  uploadRegulatoryAudit: { ...upload, bodyBytes: UPLOAD_BYTES + FORM_BYTES },
  uploadOrganizationAudit: {
    ...upload,
    bodyBytes: ORGANIZATION_UPLOAD_BYTES,
    legacyPaths: ["/disclose/fleet-audit/{orgAuditId}/upload"],
  },
} as const satisfies OperationTable;
