import type { OperationTable } from "../../platform/http/operations.ts";
import { ownerSigned, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of registration files and agent URIs. */
export const operations = {
  getRegistrationFile: publicRead,
  updateAgentUri: { ...ownerSigned, typedData: "agent-uri-update" },
} as const satisfies OperationTable;
