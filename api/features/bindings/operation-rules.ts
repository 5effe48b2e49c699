import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, publicList } from "../../platform/http/operations.ts";

/** Rules of the operations of bindings. */
export const operations = {
  createBinding: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  updateBinding: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  listBindings: { ...publicList, madeFrom: "database" },
  getBindingHistory: { ...publicList, madeFrom: "database" },
} as const satisfies OperationTable;
