// What other features and pages may use of this one.

export { SUSPEND_JOB } from "./passport-watch.ts";
export { HUMAN_PROOF_SHAPE } from "./seal.schemas.ts";
export { humanProofFor } from "./seal.ts";
