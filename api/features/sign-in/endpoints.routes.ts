// Of the feature's operations those that are one value each.

export * from "./console.routes.ts";
export * from "./tokens/services.routes.ts";
export * from "./tokens/sessions.routes.ts";
