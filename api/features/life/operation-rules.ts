import type { OperationTable } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead, ownerSigned } from "../../platform/http/operations.ts";

/** Rules of the operations of seals. */
export const operations = {
  sealAgent: { ...ownerSigned, typedData: "seal", largeIntegers: "text" },
  prepareSeal: { ...freshRead, bodyBytes: BODY_BYTES, origins: "own", largeIntegers: "text" },
} as const satisfies OperationTable;
