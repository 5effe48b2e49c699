import type { Tokens } from "./tokens.ts";

/** Which tokens were revoked. */
export interface RevokedTokens {
  /**
   * Remembers `jti` until `expiresAt`, when the token is dead anyway. Doing it twice is as good as
   * once.
   */
  revoke(jti: string, expiresAt: Date, at: Date): Promise<void>;
}

export interface TokenRevocation {
  /** Ends a token at once. Unknown or invalid tokens are ignored (RFC 7009, section 2.2). */
  revoke(token: string): Promise<void>;
}

export interface TokenRevocationOptions {
  readonly tokens: Tokens;
  readonly revoked: RevokedTokens;
  readonly clock: () => Date;
}

/** Any holder of a token may revoke it: tokens are not issued to registered clients. */
export function createTokenRevocation(options: TokenRevocationOptions): TokenRevocation {
  const { tokens, revoked, clock } = options;
  return {
    async revoke(text) {
      const token = await tokens.verify(text);
      if (token === null) return;
      await revoked.revoke(token.jti, new Date(token.expiresAt * 1000), clock());
    },
  };
}
