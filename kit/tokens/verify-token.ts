import {
  agentOf,
  assertAudience,
  isAcceptable,
  MAX_TOKEN_LENGTH,
  type TokenCheck,
} from "./agent.ts";
import { signedClaims, type TokenSecret, tokenKeys } from "./signed-claims.ts";

export interface LocalVerification {
  /** The sign-in service's secrets, each with its `kid`; two during a rotation. */
  readonly secrets: readonly TokenSecret[];
  /** The service's domain: `iss` of its tokens. */
  readonly issuer: string;
  /** As in `introspection`. */
  readonly audience?: string;
  /** The chain whose passports are accepted. */
  readonly chainId: number;
  /** The current time; by default the system's. */
  readonly clock?: () => Date;
}

/**
 * Checks tokens without a network, for services that share the sign-in service's secret. It cannot
 * know whether a token was revoked or the passport has moved since: introspection does. Tokens for
 * another audience, and tokens with scope `manage`, are invalid.
 *
 * @throws Error when there is no secret, one is shorter than 32 bytes, or two have one `kid`; for
 * an invalid audience.
 */
export function localVerification(options: LocalVerification): TokenCheck {
  const { secrets, issuer, audience, chainId, clock = () => new Date() } = options;
  assertAudience(audience);
  const keys = tokenKeys(secrets);
  const accepted = audience ?? issuer;

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const claims = await signedClaims(token, keys, { issuer, audience: accepted, now: clock() });
    const agent = claims && agentOf(claims);
    if (agent === null || agent.chainId !== chainId) return null;
    return isAcceptable(agent, accepted) ? agent : null;
  };
}
