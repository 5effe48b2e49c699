export * from "./audit-upload.ts";
export * from "./decision.ts";
export * from "./expiry.ts";
export * from "./payload.ts";
export * from "./policy.ts";
