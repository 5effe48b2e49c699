import type { OperationTable } from "../../platform/http/operations.ts";
import { agentRead, agentWrite, BODY_BYTES, freshRead } from "../../platform/http/operations.ts";

/** A check of proofs: it stores nothing, and takes a body only because values are long. */
const check = { ...freshRead, rate: "verify", bodyBytes: BODY_BYTES } as const;

/** Takes or answers disclosed values, of which nothing is stored. */
const withValues = { ...agentWrite, idempotent: false, holdsValues: true } as const;

/** Rules of the operations of selective disclosure. */
export const operations = {
  discloseFields: withValues,
  listDisclosures: agentRead,
  revokeDisclosure: agentWrite,
  getDisclosureSummary: freshRead,
  requestDisclosure: agentWrite,
  getDisclosureRequest: agentRead,
  listDisclosureRequests: agentRead,
  fulfilDisclosureRequest: withValues,
  confirmDisclosureDelivery: agentWrite,
  verifyDisclosure: check,
  verifyDisclosures: check,
  setDisclosurePolicy: agentWrite,
  listDisclosurePolicies: agentRead,
  endDisclosurePolicy: agentWrite,
} as const satisfies OperationTable;
