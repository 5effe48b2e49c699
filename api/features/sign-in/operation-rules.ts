import type { OperationTable } from "../../platform/http/operations.ts";
import { agentRead, agentWrite, publicRead, signIn } from "../../platform/http/operations.ts";

/** Rules of the operations of sign-in and tokens. */
export const operations = {
  signInChallenge: { ...signIn, rate: "challenge" },
  signInVerify: signIn,
  signInToken: signIn,
  agentSignInChallenge: { ...signIn, rate: "challenge" },
  agentSignInVerify: signIn,
  accountSignInChallenge: { ...signIn, rate: "challenge" },
  accountSignInVerify: signIn,
  introspectToken: { ...signIn, effect: "reads", rate: "token-check" },
  revokeToken: { ...signIn, rate: "token-check" },
  listSessions: { ...agentRead, access: "session" },
  endSession: { ...agentWrite, access: "session", bodyBytes: 0, idempotent: false },
  signOut: { ...agentWrite, access: "session", bodyBytes: 0, idempotent: false },
  getAuthorizationServerMetadata: { ...publicRead, cache: "published" },
  verifyApiKey: { ...signIn, effect: "reads", rate: "token-check" },
} as const satisfies OperationTable;
