import type { OperationTable } from "../../platform/http/operations.ts";
import { agentRead, agentWrite, signIn } from "../../platform/http/operations.ts";

/** Rules of the operations of API keys. */
export const operations = {
  rotateKeys: { ...agentWrite, access: "session" },
  listKeys: { ...agentRead, access: "session" },
  revokeKey: { ...agentWrite, access: "session", bodyBytes: 0, idempotent: false },
  exchangeKey: { ...signIn, access: "provisional-key", idempotent: true },
} as const satisfies OperationTable;
