import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite } from "../../platform/http/operations.ts";

/** Rules of the emergency stop. */
export const operations = {
  stopAgent: { ...agentWrite, access: "session-or-signature", typedData: "emergency-stop" },
} as const satisfies OperationTable;
