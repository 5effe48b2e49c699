import type { OperationTable } from "../../platform/http/operations.ts";
import {
  agentRead,
  agentWrite,
  BODY_BYTES,
  publicList,
  publicRead,
} from "../../platform/http/operations.ts";

/** Rules of the operations of alignment. */
export const operations = {
  // A score can be recorded at any time: a copy is always revalidated.
  getAlignment: publicList,
  getStoredAlignment: agentRead,
  calculateAlignment: { ...agentRead, bodyBytes: BODY_BYTES },
  requestSnapshot: agentWrite,
  // Public. All that it writes is the event for the agent.
  verifyFreshness: {
    ...publicRead,
    effect: "writes",
    rate: "verify",
    cache: "never",
    bodyBytes: BODY_BYTES,
    origins: "own",
  },
} as const satisfies OperationTable;
