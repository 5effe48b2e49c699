import { canonicalJson } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { DeclaredIdentity } from "../../soul/declared-identity.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";

/** The identity of an agent after a change. */
export interface UpdatedIdentity {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly agentName: string;
  readonly publicIdentity: DeclaredIdentity;
  readonly updatedAt: Date;
}

export interface PublicIdentityStore {
  /**
   * Replaces the identity, and notes the chronicle of it in the same transaction, under
   * `derivedKey`. What is the same already stays as it is: then there is nothing to record.
   */
  replace(
    soul: SoulEpoch,
    identity: DeclaredIdentity,
    at: Date,
  ): Promise<{ readonly updatedAt: Date; readonly derivedKey: string | null }>;
}

export interface PublicIdentityDeps {
  readonly store: PublicIdentityStore;
  /** The soul as the chain has it now. Rejects with CHAIN_UNAVAILABLE. */
  readonly souls: ChainSouls;
  readonly derived: { attempt(key: string): Promise<void> };
  readonly clock: () => Date;
}

/**
 * Most bytes that an identity may have as canonical JSON: with what belongs to it, it must fit a
 * chronicle.
 */
export const MAX_IDENTITY_BYTES = 15_000;

export type PublicIdentityService = ReturnType<typeof createPublicIdentityService>;

/** Changes what agents say of themselves. Neither the soul nor its alignment depends on it. */
export function createPublicIdentityService(deps: PublicIdentityDeps) {
  /**
   * @throws ApiError INVALID_REQUEST, NOT_FOUND, BURNED, FORBIDDEN (never sealed), SUSPENDED,
   * CHAIN_UNAVAILABLE
   */
  async function replace(tokenId: bigint, identity: DeclaredIdentity): Promise<UpdatedIdentity> {
    if (Buffer.byteLength(canonicalJson(identity)) > MAX_IDENTITY_BYTES) {
      const message = `Larger than ${MAX_IDENTITY_BYTES} bytes as JSON`;
      throw badRequest("publicIdentity", message);
    }
    const soul = await requireSoul(deps.souls, tokenId, "active");
    const { epoch, name: agentName, passportId } = soul;
    const replaced = await deps.store.replace({ tokenId, epoch }, identity, deps.clock());
    if (replaced.derivedKey !== null) await deps.derived.attempt(replaced.derivedKey);
    const { updatedAt } = replaced;
    return { tokenId, passportId, agentName, publicIdentity: identity, updatedAt };
  }

  return { replace };
}
