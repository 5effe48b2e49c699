import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { decodeProtectedHeader, errors, type JWTPayload, UnsecuredJWT } from "jose";
import {
  REQUIRED_CLAIMS,
  secretsByKid,
  signerAmong,
  TOKEN_ALGORITHM,
  TOKEN_TYPE,
  type TokenSecret,
} from "../../../../kit/tokens/signed-claims.ts";

// The service's own side of its tokens. Web Crypto, which the kit's side uses by way of jose, hands
// each signature to another thread, and that costs several times as much as the hash itself.

/** In front of the claims of a checked token, so that jose reads them as unsigned ones. */
const NO_SIGNATURE = encoded({ alg: "none" });

/**
 * Signs tokens, and reads back those that it signed.
 *
 * @throws Error when there is no secret, one is shorter than 32 bytes, or two have one `kid`.
 */
export function signedTokens(secrets: readonly TokenSecret[]) {
  const keys = new Map<string, KeyObject>();
  for (const [kid, secret] of secretsByKid(secrets)) keys.set(kid, createSecretKey(secret));
  const [signingKid, signingKey] = signerAmong(keys);
  const signingHeader = encoded({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: signingKid });

  return {
    sign(claims: JWTPayload): string {
      const input = `${signingHeader}.${encoded(claims)}`;
      return `${input}.${signatureOf(input, signingKey)}`;
    },

    /**
     * The claims of a token that one of the secrets signed, that names the issuer and has not expired.
     * Null for anything else, as `signedClaims` of the kit.
     */
    claimsOf(token: string, issuer: string, now: Date): JWTPayload | null {
      const [header = "", payload = "", signature = "", ...more] = token.split(".");
      if (more.length > 0) return null;
      const key = keyNamedIn(header, keys);
      if (key === null || !isEqual(signature, signatureOf(`${header}.${payload}`, key)))
        return null;
      return checkedClaims(payload, issuer, now);
    },
  };
}

/** The key of a header that is one of this service; null for any other, as for another algorithm. */
function keyNamedIn(header: string, keys: ReadonlyMap<string, KeyObject>): KeyObject | null {
  try {
    const { alg, typ, kid, ...more } = decodeProtectedHeader(`${header}..`);
    // A field that is not known here could change what the signature covers.
    if (alg !== TOKEN_ALGORITHM || typ !== TOKEN_TYPE || Object.keys(more).length > 0) return null;
    return (typeof kid === "string" ? keys.get(kid) : undefined) ?? null;
  } catch {
    // Not a header at all.
    return null;
  }
}

/** The signature is checked: jose checks the rest. */
function checkedClaims(payload: string, issuer: string, now: Date): JWTPayload | null {
  try {
    return UnsecuredJWT.decode(`${NO_SIGNATURE}.${payload}.`, {
      issuer,
      currentDate: now,
      requiredClaims: [...REQUIRED_CLAIMS],
    }).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function signatureOf(input: string, key: KeyObject): string {
  return createHmac("sha256", key).update(input).digest("base64url");
}

/** In constant time. As text, so that each signature has one spelling. */
function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
