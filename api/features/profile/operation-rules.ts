import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, publicList, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of profiles, validity, public identity and display settings. */
export const operations = {
  getProfile: { ...publicRead, madeFrom: "database" },
  getProfileStatus: { ...publicRead, madeFrom: "database" },
  getSoulValidity: { ...publicRead, rate: "validity", cache: "revalidate", madeFrom: "database" },
  putPublicIdentity: agentWrite,
  getDisplaySettings: { ...publicRead, cache: "revalidate", madeFrom: "database" },
  putDisplaySettings: agentWrite,
  listAgents: { ...publicList, madeFrom: "database" },
} as const satisfies OperationTable;
