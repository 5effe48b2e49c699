import { type Address, isAddressEqual } from "viem";
import type { UseRecorder } from "../../../kernel/last-use.ts";
import type { VerifiedToken } from "../../../kernel/sessions.ts";
import type { AskedPassports } from "../../../soul/comparison/asked.ts";
import type { IndexAge } from "../../../soul/index-age.ts";
import type { IndexedPoint, SoulStatus } from "../../../soul/index-reads.ts";
import type { Tokens } from "./tokens.ts";

/**
 * What the index knows about the passport and the soul that a token names. Null parts: the index
 * has not seen them.
 */
export interface PassportStanding {
  readonly at: IndexedPoint;
  readonly owner: Address | null;
  /** Block since which the passport's owner holds it without a break. */
  readonly ownerSinceBlock: bigint | null;
  readonly soulStatus: SoulStatus | null;
}

/** What has become of a token, and of what it names, since it was issued. */
export interface TokenStanding extends PassportStanding {
  readonly revoked: boolean;
}

/** One query. Rejects with REGISTRY_PENDING while nothing is indexed. */
export type ReadTokenStanding = (
  token: Pick<VerifiedToken, "jti" | "agentId" | "tokenId">,
) => Promise<TokenStanding>;

/** Tells whether access tokens are still good. Reads the index, never the chain: it is asked far more often than sign-in. */
export function createIntrospection(
  tokens: Tokens,
  tokenStanding: ReadTokenStanding,
  recordUse: UseRecorder,
) {
  return {
    /**
     * What an active token says, or null for one that is not: invalid, expired, revoked, or overtaken
     * by what the chain has seen since.
     */
    async introspect(text: string): Promise<VerifiedToken | null> {
      const token = await tokens.verify(text);
      if (!token) return null;
      const standing = await tokenStanding(token);
      if (standing.revoked || overtaken(token, standing)) return null;
      await recordUse(token.jti);
      return token;
    },
  };
}

/**
 * Whether the passport was transferred, or the soul suspended or burned, after the block of the
 * token's live check. The index may be behind that block; what it says of earlier ones, and what it
 * has not seen, takes nothing away.
 */
function overtaken(token: VerifiedToken, standing: PassportStanding): boolean {
  // Only a transfer of its passport suspends a soul, and only while it is away. A transfer there
  // and back ends the token too, because in between another account was the owner.
  if (standing.ownerSinceBlock !== null && standing.ownerSinceBlock > token.checkedBlock) {
    return true;
  }
  // A reorganization can put a sale into a block that is not after the one of the live check, whose own block is then gone.
  if (standing.owner !== null && standing.at.block >= token.checkedBlock) {
    if (!isAddressEqual(standing.owner, token.holder)) return true;
  }
  // A burn is final, and the live check saw this soul alive, so it was burned later, in any block.
  return standing.soulStatus === "BURNED";
}

/** Tokens as they stand, refused with INDEX_BEHIND while the index cannot say whether one was overtaken. Revoked is revoked. */
export function currentTokens(
  tokenStanding: ReadTokenStanding,
  age: IndexAge,
  asked: Pick<AskedPassports, "note">,
): ReadTokenStanding {
  return async (token) => {
    asked.note(token.agentId);
    const standing = await tokenStanding(token);
    if (standing.revoked || age.isFresh(standing.at)) return standing;
    throw age.behind(standing.at);
  };
}
