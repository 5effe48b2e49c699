// What other features and pages may use of this one.

export type { ProfilePageData } from "./page-data.ts";
