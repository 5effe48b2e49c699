import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, publicList, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of profiles, validity, public identity and display settings. */
export const operations = {
  getProfile: publicRead,
  getProfileStatus: publicRead,
  getSoulValidity: { ...publicRead, rate: "validity", cache: "revalidate" },
  putPublicIdentity: agentWrite,
  getDisplaySettings: { ...publicRead, cache: "revalidate" },
  putDisplaySettings: agentWrite,
  listAgents: publicList,
} as const satisfies OperationTable;
