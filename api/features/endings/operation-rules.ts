import type { OperationTable } from "../../platform/http/operations.ts";
import { ownerSigned } from "../../platform/http/operations.ts";

/** Rules of the operations that end an epoch or a life, or begin the next one. */
export const operations = {
  reincarnateAgent: {
    ...ownerSigned,
    typedData: "reincarnate",
    rate: "register",
    largeIntegers: "text",
  },
} as const satisfies OperationTable;
