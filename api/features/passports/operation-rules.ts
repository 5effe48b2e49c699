import type { OperationTable } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead, ownerSigned, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of registration files and agent URIs. */
export const operations = {
  getRegistrationFile: publicRead,
  updateRegistrationFile: { ...ownerSigned, typedData: "registration-file" },
  prepareRegistrationFile: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  updateAgentUri: { ...ownerSigned, typedData: "agent-uri-update" },
  prepareAgentUri: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
} as const satisfies OperationTable;
