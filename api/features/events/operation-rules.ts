import { type OperationTable, publicStream } from "../../platform/http/operations.ts";

/** Rules of the operation that no endpoint is. */
export const operations = { followEvents: publicStream } as const satisfies OperationTable;
