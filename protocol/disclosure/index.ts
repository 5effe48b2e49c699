export * from "./decision.ts";
export * from "./expiry.ts";
export * from "./policy.ts";
