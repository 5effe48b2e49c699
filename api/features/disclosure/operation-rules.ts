import type { OperationTable } from "../../platform/http/operations.ts";
import { agentRead, agentWrite, BODY_BYTES, freshRead } from "../../platform/http/operations.ts";

/** A check of proofs: it stores nothing, and takes a body only because values are long. */
const check = { ...freshRead, rate: "verify", bodyBytes: BODY_BYTES } as const;

/** Rules of the operations of selective disclosure. */
export const operations = {
  verifyDisclosure: check,
  verifyDisclosures: check,
  setDisclosurePolicy: agentWrite,
  listDisclosurePolicies: agentRead,
  endDisclosurePolicy: agentWrite,
} as const satisfies OperationTable;
