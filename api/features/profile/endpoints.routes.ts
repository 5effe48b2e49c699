// All of the feature's operations.

export * from "./agents.routes.ts";
export * from "./display.routes.ts";
export * from "./profile.routes.ts";
export * from "./public-identity.routes.ts";
