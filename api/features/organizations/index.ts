// What other features and pages may use of this one.

export type { InvitationsAnswer } from "./signed.schemas.ts";
