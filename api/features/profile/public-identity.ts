import { canonicalJson } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { DeclaredIdentity } from "../../soul/declared-identity.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { DerivedChronicles } from "../chronicles/index.ts";
import type { createPublicIdentityStore } from "./public-identity.store.ts";

/** What changing a public identity takes. */
export interface PublicIdentities {
  readonly store: ReturnType<typeof createPublicIdentityStore>;
  /** The soul as the chain has it now. Rejects with CHAIN_UNAVAILABLE. */
  readonly souls: ChainSouls;
  readonly derived: Pick<DerivedChronicles, "attempt">;
  readonly clock: () => Date;
}

/**
 * Most bytes that an identity may have as canonical JSON: with what belongs to it, it must fit a
 * chronicle.
 */
export const MAX_IDENTITY_BYTES = 15_000;

/**
 * Replaces what an agent says of itself. Neither the soul nor its alignment depends on it.
 *
 * @throws ApiError INVALID_REQUEST, NOT_FOUND, BURNED, FORBIDDEN (never sealed), SUSPENDED,
 * CHAIN_UNAVAILABLE
 */
export async function replaceIdentity(
  { store, souls, derived, clock }: PublicIdentities,
  tokenId: bigint,
  publicIdentity: DeclaredIdentity,
) {
  if (Buffer.byteLength(canonicalJson(publicIdentity)) > MAX_IDENTITY_BYTES) {
    const message = `Larger than ${MAX_IDENTITY_BYTES} bytes as JSON`;
    throw badRequest("publicIdentity", message);
  }
  const soul = await requireSoul(souls, tokenId, "active");
  const { epoch, name: agentName, passportId } = soul;
  const replaced = await store.replace({ tokenId, epoch }, publicIdentity, clock());
  if (replaced.derivedKey !== null) await derived.attempt(replaced.derivedKey);
  return { tokenId, passportId, agentName, publicIdentity, updatedAt: replaced.updatedAt };
}
