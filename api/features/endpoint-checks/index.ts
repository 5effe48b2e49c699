// What other features and pages may use of this one.

export type { EndpointChecks, SignedCheck } from "./checks.ts";
export type { EndpointsPageData } from "./page-data.ts";
export { CheckedWhen, checkedService, StateBadge } from "./states.page.tsx";
export { endpointWatch } from "./tables.ts";
