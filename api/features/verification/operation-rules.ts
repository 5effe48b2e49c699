import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, BODY_BYTES, freshRead, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of verification and validation. */
export const operations = {
  validateAgent: { ...agentWrite, access: "agent-or-signature", typedData: "validate" },
  prepareValidation: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  verifyAgent: { ...publicRead, rate: "verify", cache: "verification" },
} as const satisfies OperationTable;
