// What other features and pages may use of this one.

export type { DidRecords } from "./records.ts";
export { DidDocumentAnswer } from "./schemas.ts";
