import { agentWrite, type OperationTable, UPLOAD_BYTES } from "../../platform/http/operations.ts";

/** Rules of the operation that no endpoint is. */
export const operations = {
  // Its address is the credential.
  uploadSoulDocument: {
    ...agentWrite,
    access: "none",
    console: false,
    bodyBytes: UPLOAD_BYTES,
  },
} as const satisfies OperationTable;
