import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";

/** Of every token. Fixed, because an attacker chooses the algorithm in a token's header. */
export const TOKEN_ALGORITHM = "HS256";
export const TOKEN_TYPE = "JWT";

/** Claims that every token has. */
export const REQUIRED_CLAIMS = ["iss", "sub", "aud", "iat", "exp", "jti"] as const;

/** Short secrets could be found by trying; jose itself accepts a single byte. */
const MIN_SECRET_BYTES = 32;

/** One secret that tokens are signed with. `kid` names it in a token's header. */
export interface TokenSecret {
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** Imported once: with raw bytes, each token would pay for the import again. */
export interface TokenKeys {
  /** The first secret, which new tokens are signed with. */
  readonly signer: { readonly kid: string; readonly key: SigningKey };
  readonly byKid: ReadonlyMap<string, SigningKey>;
}
type SigningKey = ReturnType<typeof importSecret>;

/** @throws Error when there is no secret, one is shorter than 32 bytes, or two have one `kid`. */
export function tokenKeys(secrets: readonly TokenSecret[]): TokenKeys {
  const byKid = new Map<string, SigningKey>();
  for (const [kid, secret] of secretsByKid(secrets)) byKid.set(kid, importSecret(secret));
  const [kid, key] = signerAmong(byKid);
  return { signer: { kid, key }, byKid };
}

/**
 * The secrets by their names, in their order.
 *
 * @throws Error when one is shorter than 32 bytes, or two have one `kid`.
 */
export function secretsByKid(secrets: readonly TokenSecret[]): ReadonlyMap<string, Uint8Array> {
  const byKid = new Map<string, Uint8Array>();
  for (const { kid, secret } of secrets) {
    if (secret.byteLength < MIN_SECRET_BYTES) {
      throw new Error(`The token secret ${kid} is shorter than ${MIN_SECRET_BYTES} bytes.`);
    }
    if (byKid.has(kid)) throw new Error(`Two token secrets have the kid ${kid}.`);
    byKid.set(kid, secret);
  }
  return byKid;
}

/**
 * The first key, which new tokens are signed with.
 *
 * @throws Error when there is none.
 */
export function signerAmong<Key>(
  byKid: ReadonlyMap<string, Key>,
): readonly [kid: string, key: Key] {
  const [first] = byKid;
  if (!first) throw new Error("There is no secret for tokens. Give at least one.");
  return first;
}

/** What a token must say beside a valid signature. */
export interface ClaimChecks {
  readonly issuer: string;
  /** Undefined: any audience. The caller then compares it. */
  readonly audience: string | undefined;
  readonly now: Date;
}

/**
 * The claims of a token that one of the keys signed, that names the issuer and has not expired. Null
 * for anything else: another algorithm or key, changed, no token.
 */
export async function signedClaims(
  token: string,
  keys: TokenKeys,
  { issuer, audience, now }: ClaimChecks,
): Promise<JWTPayload | null> {
  const options: JWTVerifyOptions = {
    algorithms: [TOKEN_ALGORITHM],
    typ: TOKEN_TYPE,
    issuer,
    currentDate: now,
    requiredClaims: [...REQUIRED_CLAIMS],
  };
  if (audience !== undefined) options.audience = audience;
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = await (kid === undefined ? undefined : keys.byKid.get(kid));
        if (!key) throw new errors.JWSSignatureVerificationFailed();
        return key;
      },
      options,
    );
    return payload;
  } catch (error) {
    // All that jose rejects about a token; any other error is a fault of the service.
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function importSecret(secret: Uint8Array) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", Uint8Array.from(secret), algorithm, false, [
    "sign",
    "verify",
  ]);
}
