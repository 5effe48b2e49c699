// What other features and pages may use of this one.

export type { EndpointChecks } from "./build.ts";
export type { SignedCheck } from "./checks.ts";
export { endpointWatch } from "./tables.ts";
