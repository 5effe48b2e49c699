import type { OperationTable } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead, ownerSigned } from "../../platform/http/operations.ts";

/** Rules of the operations of registrations. */
export const operations = {
  getRegistrationStatus: freshRead,
  prepareRegistration: {
    ...freshRead,
    bodyBytes: BODY_BYTES,
    origins: "own",
    largeIntegers: "text",
  },
  registerAgent: {
    ...ownerSigned,
    typedData: "register",
    rate: "register",
    largeIntegers: "text",
  },
} as const satisfies OperationTable;
