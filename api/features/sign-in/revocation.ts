import type { Tokens } from "./tokens.ts";

/** Which tokens were revoked. */
export interface RevokedTokens {
  /** Remembers `jti` until `expiresAt`, when the token is dead anyway. Doing it twice is as good as once. */
  revoke(jti: string, expiresAt: Date, at: Date): Promise<void>;
}

export interface TokenRevocation {
  /** Ends a token at once; the next introspection says so. What is no good token of ours is left as it is, without a word. */
  revoke(token: string): Promise<void>;
}

export interface TokenRevocationOptions {
  readonly tokens: Tokens;
  readonly revoked: RevokedTokens;
  readonly clock: () => Date;
}

/** Whoever holds a token may end it: there are no clients that it would be issued to. */
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
