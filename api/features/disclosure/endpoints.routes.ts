// All of the feature's operations.

export * from "./disclosures.routes.ts";
export * from "./policies.routes.ts";
export * from "./requests/requests.routes.ts";
export * from "./verify.routes.ts";
