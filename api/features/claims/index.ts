// What other features and pages may use of this one.

export { unfinishedClaim } from "./claims.store.ts";
export type { IdentityEdit } from "./edits.ts";
export type { ClaimedSchema } from "./schemas.ts";
