import type { OperationTable } from "../../platform/http/operations.ts";
import { BODY_BYTES, freshRead } from "../../platform/http/operations.ts";

/** Rules of the operations of registrations. */
export const operations = {
  prepareRegistration: {
    ...freshRead,
    bodyBytes: BODY_BYTES,
    origins: "own",
    largeIntegers: "text",
  },
} as const satisfies OperationTable;
