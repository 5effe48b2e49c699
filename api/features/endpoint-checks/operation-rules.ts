import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of endpoint checks. */
export const operations = {
  // A check can end at any time: a copy is always revalidated.
  getEndpointChecks: { ...publicRead, cache: "revalidate" },
  // Public. All that it writes is when the agent is checked next.
  requestEndpointCheck: {
    ...publicRead,
    effect: "writes",
    rate: "write",
    cache: "never",
    origins: "own",
  },
} as const satisfies OperationTable;
