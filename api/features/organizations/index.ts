// What other features and pages may use of this one.

export { organizationIn, withFleetId } from "./answers.http.ts";
export { ORGANIZATION_ID } from "./schemas.ts";
export type { InvitationsAnswer } from "./signed.schemas.ts";
