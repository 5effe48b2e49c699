import type { OperationTable } from "../../platform/http/operations.ts";
import { agentWrite, publicRead, unlistedPage } from "../../platform/http/operations.ts";

/** Rules of the operations of bindings. */
export const operations = {
  createBinding: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  updateBinding: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  listBindings: { ...publicRead, cache: "revalidate" },
  getBindingHistory: { ...publicRead, cache: "revalidate" },
  showBindingsPage: unlistedPage,
} as const satisfies OperationTable;
