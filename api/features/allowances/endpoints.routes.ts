// All of the feature's operations.

export * from "./allowances.routes.ts";
export * from "./changes.routes.ts";
