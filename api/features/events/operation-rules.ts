import { type OperationTable, publicStream } from "../../platform/http/operations.ts";

/** A stream goes on, which no endpoint does. */
export const operations = { followEvents: publicStream } as const satisfies OperationTable;
