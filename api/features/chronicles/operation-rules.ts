import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, freshRead, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of chronicles. */
export const operations = {
  recordChronicle: {
    ...agentWrite,
    access: "agent-or-signature",
    typedData: "chronicle",
    legacyPaths: ["/evolution"],
  },
  requestChronicle: agentWrite,
  getChronicleRequest: freshRead,
  getChronicleProof: { ...publicRead, cache: "revalidate", madeFrom: "database" },
  listChronicles: {
    ...publicRead,
    cache: "revalidate",
    madeFrom: "database",
    legacyPaths: ["/evolution/{name}"],
  },
} as const satisfies OperationTable;
