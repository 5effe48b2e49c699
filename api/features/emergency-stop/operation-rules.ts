import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, BODY_BYTES, freshRead, unlistedPage } from "../../platform/http/operations.ts";

/** Rules of the emergency stop. */
export const operations = {
  stopAgent: { ...agentWrite, access: "session-or-signature", typedData: "emergency-stop" },
  prepareEmergencyStop: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  showAccessPage: unlistedPage,
} as const satisfies OperationTable;
