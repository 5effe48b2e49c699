// All of the feature's operations.

export * from "./admins.routes.ts";
export { registerBatch } from "./batches/batch.routes.ts";
export * from "./invitations.routes.ts";
export * from "./members.routes.ts";
export * from "./organizations.routes.ts";
