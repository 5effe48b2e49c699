import type { OperationTable } from "../../platform/http/operations.ts";
import {
  agentWrite,
  BODY_BYTES,
  freshRead,
  publicRead,
  unlistedPage,
} from "../../platform/http/operations.ts";

/** Rules of the operations of bindings. */
export const operations = {
  createBinding: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  updateBinding: { ...agentWrite, access: "agent-or-signature", typedData: "binding" },
  prepareBinding: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  listBindings: { ...publicRead, cache: "revalidate" },
  getBindingHistory: { ...publicRead, cache: "revalidate" },
  showBindingsPage: unlistedPage,
} as const satisfies OperationTable;
