// What other features and pages may use of this one.

export type { AllowancePageData } from "./page-data.ts";
export type { AllowanceChanged, AllowanceEnded } from "./schemas.ts";
