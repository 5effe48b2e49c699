import type { OperationTable } from "../../platform/http/operations.ts";
import { ownerSigned } from "../../platform/http/operations.ts";

/** Rules of what an owner does with the data about it. */
export const operations = {
  // Its answer holds salts, which must not be stored as an answer under an Idempotency-Key would be.
  exportPrivateData: {
    ...ownerSigned,
    effect: "reads",
    typedData: "private-data-export",
    idempotent: false,
    holdsValues: true,
  },
  deletePrivateData: { ...ownerSigned, typedData: "private-data-deletion" },
} as const satisfies OperationTable;
