import type { OperationTable } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead } from "../../platform/http/operations.ts";

/** Rules of the operations of the tools. */
export const operations = {
  normaliseSource: {
    ...freshRead,
    rate: "normalise",
    bodyBytes: BODY_BYTES,
  },
  verifyHash: { ...freshRead, rate: "verify", bodyBytes: BODY_BYTES },
} as const satisfies OperationTable;
