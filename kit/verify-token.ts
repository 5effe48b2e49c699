import { errors, jwtVerify } from "jose";
import {
  agentOf,
  assertAudience,
  isAcceptable,
  MAX_TOKEN_LENGTH,
  type TokenCheck,
} from "./agent.ts";

const ALGORITHM = "HS256";
const MIN_SECRET_BYTES = 32;

export interface LocalVerification {
  /** The sign-in service's secrets, each with its `kid`; two during a rotation. */
  readonly secrets: readonly { readonly kid: string; readonly secret: Uint8Array }[];
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
  const keys = new Map(secrets.map(({ kid, secret }) => [kid, secret]));
  if (keys.size === 0) throw new Error("There is no secret to verify tokens with.");
  if (keys.size !== secrets.length) throw new Error("Two secrets have one kid.");
  for (const { kid, secret } of secrets) {
    if (secret.byteLength < MIN_SECRET_BYTES) {
      throw new Error(`The secret ${kid} is shorter than ${MIN_SECRET_BYTES} bytes.`);
    }
  }

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : keys.get(kid);
          if (!key) throw new errors.JWSSignatureVerificationFailed();
          return key;
        },
        {
          // Fixed: an attacker chooses the algorithm in a token's header.
          algorithms: [ALGORITHM],
          typ: "JWT",
          issuer,
          audience: audience ?? issuer,
          currentDate: clock(),
          requiredClaims: ["iss", "sub", "aud", "iat", "exp", "jti"],
        },
      );
      const agent = agentOf(payload);
      if (agent === null || agent.chainId !== chainId) return null;
      return isAcceptable(agent, audience ?? issuer) ? agent : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };
}
