import type { Address } from "viem";
import { parseApiKey } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Tier } from "../../kernel/scopes.ts";
import type { ChainPassports } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import type { ApiKeyStore } from "../keys/index.ts";
import { tierOf } from "./passport-choice.ts";

/** Which passport to ask the chain about. Only a hint: what it says is confirmed live. */
export interface SoulPassports {
  /** A soul's passport, which never changes, and its sealer; null when it is not indexed. */
  passportOfSoul(
    tokenId: bigint,
  ): Promise<{ readonly passportId: bigint; readonly sealer: Address } | null>;
}

/** The agent whose key it is, as the chain has it now. */
export interface VerifiedKey {
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly agentId: bigint;
  readonly tier: Tier;
  readonly humanVerified: boolean;
}

export interface KeyVerification {
  /**
   * The agent that presents `key`, or null for anything that is not the full key of an agent in its present epoch: unknown,
   * provisional or revoked ones, those of a burned soul, and those whose passport has moved.
   *
   * @throws ApiError CHAIN_UNAVAILABLE, REGISTRY_PENDING
   */
  verify(key: string): Promise<VerifiedKey | null>;
}

export interface KeyVerificationOptions {
  readonly keys: Pick<ApiKeyStore, "find">;
  readonly index: SoulPassports;
  readonly live: ChainPassports;
  readonly clock: () => Date;
}

/** Tells services whose API key they were given. */
export function createKeyVerification(options: KeyVerificationOptions): KeyVerification {
  const { keys, index, live, clock } = options;
  return {
    async verify(text) {
      const parsed = parseApiKey(text);
      if (parsed?.kind !== "live") return null;
      // Found by its hash: how long the look-up takes tells nothing about keys that are nearly
      // right.
      const key = await keys.find(parsed.hash);
      if (key?.kind !== "live" || key.tokenId === null) return null;
      if (key.revokedAt !== null && !(clock() < key.revokedAt)) return null;

      const found = await index.passportOfSoul(key.tokenId);
      if (found === null) throw new ApiError("REGISTRY_PENDING");
      const { passports } = await live.passportStates(found.sealer, [found.passportId]);
      const passport = passports[0];
      const soul = passport?.soul;
      if (!passport?.owner || soul?.tokenId !== key.tokenId) return null;
      // The next epoch has its own keys, and the seller of a passport must not act as the agent
      // before the reseal.
      if (BigInt(soul.epoch) !== key.epoch || ownerOf(soul) === null) return null;
      const tier = tierOf(passport, soul.sealer);
      return {
        agentName: soul.name,
        tokenId: soul.tokenId,
        agentId: passport.id,
        tier,
        humanVerified: tier === 3,
      };
    },
  };
}
