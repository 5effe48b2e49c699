/** What a sign-in asks for, as its message names it. */
export interface SignInPurpose {
  /**
   * `agent`: as the agent of a passport; `wallet`: as an account with a passport; `account`: as an
   * account, with or without one, in the console of the service's own pages.
   */
  readonly flow: "wallet" | "agent" | "account";
  /** The service's domain. */
  readonly domain: string;
  /** The passport; null where the service chooses one of the account. */
  readonly agentId: bigint | number | null;
  readonly scopes: readonly string[];
  /** The only party that may accept the token; null for the service itself. */
  readonly audience: string | null;
}

/** What a wallet shows as the purpose of signing in: who gets the token, and what it permits. */
export function signInStatement(purpose: SignInPurpose): string {
  const { flow, domain, agentId, scopes, audience } = purpose;
  if (flow === "account") {
    return `Sign in to the console of ${domain} and manage every agent of this account. For eight hours, this browser can change API keys, webhooks, profile and records.`;
  }
  const where = audience === null ? domain : `${audience} through ${domain}`;
  const passport = agentId === null ? "the passport" : `passport ${agentId}`;
  const holder = flow === "agent" ? "this agent" : `${passport} of this account`;
  const signIn = `Sign in to ${where} with ${holder}`;
  if (!scopes.includes("manage")) return `${signIn}.`;
  const managed =
    agentId === null ? "every agent of this account" : `the agent of passport ${agentId}`;
  return `${signIn} and manage ${managed}. For one hour, anyone who holds the token can change API keys, webhooks, profile and records.`;
}
