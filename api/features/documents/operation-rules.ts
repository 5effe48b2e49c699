import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, publicRead, UPLOAD_BYTES } from "../../platform/http/operations.ts";

/** Rules of the operations of soul documents. The URL of an upload holds its own credential. */
export const operations = {
  listSoulDocuments: { ...publicRead, madeFrom: "database" },
  requestDocumentUpload: agentWrite,
  // Its address is the credential.
  uploadSoulDocument: {
    ...agentWrite,
    access: "none",
    console: false,
    bodyBytes: UPLOAD_BYTES,
  },
} as const satisfies OperationTable;
