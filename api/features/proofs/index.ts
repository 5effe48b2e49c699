// What other features and pages may use of this one.

export type { ProofPageData } from "./page-data.ts";
