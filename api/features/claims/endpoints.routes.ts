export { claimAgent, getClaimDraft } from "./claim.routes.ts";
export { registerAgent } from "./register.routes.ts";
export { getRegistrationStatus } from "./status.routes.ts";
