import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { z } from "zod";
import type { TokenSecret } from "../../../../kit/tokens/signed-claims.ts";
import { SCOPES } from "../../../kernel/scopes.ts";
import { MANAGES, type TokenSubject, type VerifiedToken } from "../../../kernel/sessions.ts";
import { signedTokens } from "./signed-tokens.ts";

/** Seconds that an access token lives. There are no refresh tokens: sign in again. */
export const TOKEN_LIFETIME_SECONDS = 3600;

export type Tokens = ReturnType<typeof createTokens>;

const Id = z.int().min(0);

/**
 * Who shares the signing secret can sign anything: what is read back is checked as input. Unknown
 * claims are ignored, so that a later version's tokens pass while both versions run.
 */
const Claims = z
  .object({
    iss: z.string(),
    aud: z.string().min(1),
    sub: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    iat: z.int(),
    exp: z.int(),
    jti: z.string(),
    tier: z.literal([1, 2, 3]),
    scopes: z.array(z.enum(SCOPES)),
    agentName: z.string(),
    erc8004AgentId: Id,
    tokenId: Id.nullable(),
    chainId: z.int(),
    humanVerified: z.boolean(),
    manages: z.enum(MANAGES).optional(),
    checkedBlock: Id,
    checkedAt: Id,
  })
  // Only this service issues and accepts tokens with scope manage, and each says what it reaches.
  .refine(({ scopes, manages }) => scopes.includes("manage") === (manages !== undefined))
  .refine(({ manages, aud, iss }) => manages === undefined || aud === iss);

/**
 * Access tokens: HS256 JWTs, verified as the kit verifies them.
 *
 * @throws Error when there is no secret, one is shorter than 32 bytes, or two have one `kid`.
 */
export function createTokens({
  secrets,
  issuer,
  clock,
}: {
  /** The first signs, all verify. At least one. */
  readonly secrets: readonly TokenSecret[];
  /** The service's domain. */
  readonly issuer: string;
  readonly clock: () => Date;
}) {
  const signed = signedTokens(secrets);

  return {
    /** A new access token, valid from now for TOKEN_LIFETIME_SECONDS. */
    async issue(subject: TokenSubject, jti: string = randomUUID()): Promise<string> {
      const issuedAt = Math.floor(clock().getTime() / 1000);
      return signed.sign({
        tier: subject.tier,
        scopes: [...subject.scopes],
        agentName: subject.agentName,
        erc8004AgentId: Number(subject.agentId),
        tokenId: subject.tokenId === null ? null : Number(subject.tokenId),
        chainId: subject.chainId,
        humanVerified: subject.humanVerified,
        manages: subject.manages ?? undefined,
        checkedBlock: Number(subject.checkedBlock),
        checkedAt: Number(subject.checkedAt),
        iss: issuer,
        sub: subject.holder,
        aud: subject.audience,
        iat: issuedAt,
        exp: issuedAt + TOKEN_LIFETIME_SECONDS,
        jti,
      });
    },

    /**
     * What a token of this service says, or null for anything else: another issuer, algorithm or key,
     * expired, changed, no token. Its audience may be another party: compare `audience` with `issuer`
     * before accepting the token here.
     */
    async verify(token: string): Promise<VerifiedToken | null> {
      const claims = Claims.safeParse(signed.claimsOf(token, issuer, clock()));
      return claims.success ? verifiedToken(claims.data) : null;
    },
  };
}

/**
 * Ends a token at once, until it expires anyway. Any holder of a token may do it: tokens are not issued to registered clients.
 * Unknown or invalid tokens are ignored (RFC 7009, section 2.2).
 *
 * @param revoke Remembers a `jti` until a time. Doing it twice is as good as once.
 */
export async function revokeToken(
  {
    tokens,
    revoke,
    clock,
  }: {
    readonly tokens: Tokens;
    readonly revoke: (jti: string, expiresAt: Date, at: Date) => Promise<void>;
    readonly clock: () => Date;
  },
  text: string,
): Promise<void> {
  const token = await tokens.verify(text);
  if (token !== null) await revoke(token.jti, new Date(token.expiresAt * 1000), clock());
}

function verifiedToken(claims: z.infer<typeof Claims>): VerifiedToken {
  return {
    jti: claims.jti,
    issuer: claims.iss,
    issuedAt: claims.iat,
    expiresAt: claims.exp,
    holder: claims.sub as Address,
    agentId: BigInt(claims.erc8004AgentId),
    agentName: claims.agentName,
    tokenId: claims.tokenId === null ? null : BigInt(claims.tokenId),
    chainId: claims.chainId,
    tier: claims.tier,
    scopes: claims.scopes,
    humanVerified: claims.humanVerified,
    audience: claims.aud,
    manages: claims.manages ?? null,
    checkedBlock: BigInt(claims.checkedBlock),
    checkedAt: BigInt(claims.checkedAt),
  };
}
