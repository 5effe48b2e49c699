import { type ApiKeyKind, parseApiKey } from "../../kernel/api-keys.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import { tierOf } from "./passport-choice.ts";

interface KnownKey {
  readonly kind: ApiKeyKind;
  readonly tokenId: bigint | null;
  readonly epoch: number | null;
  readonly revokedAt: Date | null;
}

/**
 * For services that were given an API key: the agent that presents it, as the chain has it now. Null for anything that is not the
 * full key of an agent in its present epoch: unknown, provisional or revoked ones, those of a burned soul, and those whose
 * passport has moved.
 *
 * @throws ApiError CHAIN_UNAVAILABLE
 */
export async function verifyKey(
  {
    keys,
    recordUse,
    souls,
    clock,
  }: {
    readonly keys: { find(hash: Buffer): Promise<KnownKey | null> };
    readonly recordUse: (hash: Buffer) => Promise<void>;
    readonly souls: ChainSouls;
    readonly clock: () => Date;
  },
  text: string,
) {
  const parsed = parseApiKey(text);
  if (parsed?.kind !== "live") return null;
  // Found by its hash: how long the look-up takes tells nothing about keys that are nearly
  // right.
  const key = await keys.find(parsed.hash);
  if (key?.kind !== "live" || key.tokenId === null) return null;
  if (key.revokedAt !== null && !(clock() < key.revokedAt)) return null;

  const soul = await souls.soul(key.tokenId);
  // The next epoch has its own keys, and the seller of a passport must not act as the agent
  // before the reseal.
  if (soul === null || soul.epoch !== key.epoch || ownerOf(soul) === null) return null;
  await recordUse(parsed.hash);
  const { name, tokenId, passportId, passportOwner } = soul;
  const tier = tierOf({ id: passportId, owner: passportOwner, soul }, soul.sealer);
  return { name, tokenId, passportId, tier };
}
