// What other features and pages may use of this one.

export { organizationIn } from "./answers.http.ts";
export { withFleetId } from "./fleet.http.ts";
export { ORGANIZATION_ID } from "./schemas.ts";
export type { InvitationsAnswer } from "./signed.schemas.ts";
