// What other features and pages may use of this one.

export { type ArchivedClaim, readArchivedSoul } from "./archived-soul.ts";
export type { ValidationService } from "./validation.ts";
export type { Verification } from "./verify.routes.ts";
