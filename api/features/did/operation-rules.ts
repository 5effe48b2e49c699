import type { OperationTable } from "../../platform/http/operations.ts";
import { publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of DID documents and key sets. */
export const operations = {
  getDidDocument: { ...publicRead, cache: "verification", madeFrom: "database" },
  getAgentKeySet: { ...publicRead, cache: "verification" },
} as const satisfies OperationTable;
