import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of verification and validation. */
export const operations = {
  validateAgent: { ...agentWrite, access: "agent-or-signature", typedData: "validate" },
  verifyAgent: { ...publicRead, rate: "verify", cache: "verification" },
} as const satisfies OperationTable;
