import { type OperationTable, signIn } from "../../platform/http/operations.ts";

/** Rules of the operations of the two flows and of those that take a form. */
export const operations = {
  signInChallenge: { ...signIn, rate: "challenge" },
  signInVerify: signIn,
  signInToken: signIn,
  agentSignInChallenge: { ...signIn, rate: "challenge" },
  agentSignInVerify: signIn,
  introspectToken: { ...signIn, effect: "reads", rate: "token-check" },
  revokeToken: { ...signIn, rate: "token-check" },
} as const satisfies OperationTable;
