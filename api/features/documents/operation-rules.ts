import { agentWrite, type OperationTable, UPLOAD_BYTES } from "../../platform/http/operations.ts";

/** An upload is a raw body, which no endpoint takes. */
export const operations = {
  // Its address is the credential.
  uploadSoulDocument: {
    ...agentWrite,
    access: "none",
    console: false,
    bodyBytes: UPLOAD_BYTES,
  },
} as const satisfies OperationTable;
