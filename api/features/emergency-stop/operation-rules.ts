import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, BODY_BYTES, freshRead } from "../../platform/http/operations.ts";

/** Rules of the emergency stop. */
export const operations = {
  stopAgent: { ...agentWrite, access: "session-or-signature", typedData: "emergency-stop" },
  prepareEmergencyStop: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
} as const satisfies OperationTable;
