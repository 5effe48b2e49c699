// What other features and pages may use of this one.

export type { ChallengeAnswer, TokenAnswer } from "./schemas.ts";
export { endSessionsOf } from "./tokens/sessions.store.ts";
export type { ListedSession, OwnerSessions } from "./tokens/sessions.ts";
