// What other features and pages may use of this one.

export { type TrustLevel, trustLevelOf } from "./pairs.ts";
