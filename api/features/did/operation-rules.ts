import type { OperationTable } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead, ownerSigned, publicRead } from "../../platform/http/operations.ts";

/** Rules of the operations of DID documents and key sets. */
export const operations = {
  getDidDocument: { ...publicRead, cache: "verification" },
  getAgentKeySet: { ...publicRead, cache: "verification" },
  updateAgentKeySet: { ...ownerSigned, typedData: "agent-keys" },
  prepareAgentKeySet: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
  updateDidDocument: { ...ownerSigned, typedData: "did" },
  prepareDidUpdate: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own" },
} as const satisfies OperationTable;
