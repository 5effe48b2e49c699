import { isAudience } from "../../protocol/audience.ts";

/** The agent that signed in, according to a checked token. */
export interface SignedInAgent {
  /** The wallet that holds the passport. */
  readonly holder: string;
  readonly agentName: string;
  /** Passport id; 0 is a real one. */
  readonly erc8004AgentId: number;
  readonly chainId: number;
  /** 1: passport. 2: sealed soul. 3: human-verified. */
  readonly tier: 1 | 2 | 3;
  readonly scopes: readonly string[];
  readonly humanVerified: boolean;
  /** The recipient of the token: a relying party's origin, or the sign-in service's domain. */
  readonly audience: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The token's id. */
  readonly jti: string;
}

/**
 * Checks one token. Null: the token is invalid. A rejection means that the check failed; do not
 * admit the caller.
 */
export type TokenCheck = (token: string) => Promise<SignedInAgent | null>;

/** Longest token read. Issued tokens have a few hundred characters. */
export const MAX_TOKEN_LENGTH = 4_096;

/** Reads verified claims; null when one is missing or malformed. */
export function agentOf(claims: Readonly<Record<string, unknown>>): SignedInAgent | null {
  const { sub, aud, agentName, erc8004AgentId, chainId, tier, scopes, humanVerified } = claims;
  const { iat, exp, jti } = claims;
  if (typeof sub !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(sub)) return null;
  if (typeof agentName !== "string" || agentName === "") return null;
  if (typeof aud !== "string" || aud === "") return null;
  if (typeof jti !== "string" || jti === "") return null;
  if (tier !== 1 && tier !== 2 && tier !== 3) return null;
  if (typeof humanVerified !== "boolean") return null;
  if (!isCount(erc8004AgentId) || !isCount(chainId) || !isCount(iat) || !isCount(exp)) return null;
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === "string")) return null;
  return {
    holder: sub,
    agentName,
    erc8004AgentId,
    chainId,
    tier,
    scopes,
    humanVerified,
    audience: aud,
    issuedAt: iat,
    expiresAt: exp,
    jti,
  };
}

/**
 * Whether a token can manage the agent at the sign-in service. Only the owner should hold such a
 * token: a relying party that has one could take the agent over.
 */
export function canManage({ scopes }: Pick<SignedInAgent, "scopes">): boolean {
  return scopes.includes("manage");
}

/**
 * Whether a relying party may accept the token: its audience is `audience`, and it cannot manage
 * the agent.
 */
export function isAcceptable(agent: SignedInAgent, audience: string): boolean {
  return agent.audience === audience && !canManage(agent);
}

/** @throws Error for an invalid audience. */
export function assertAudience(audience: string | undefined): void {
  if (audience === undefined || isAudience(audience)) return;
  throw new Error(
    `The audience must be this service's origin, such as https://shop.example, and not ${audience}.`,
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
