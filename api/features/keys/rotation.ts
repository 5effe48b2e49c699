import type { Credential } from "../../kernel/access.ts";
import type { StoredKey } from "../../kernel/api-keys.ts";
import { apiKeyOf, storedKeyOf } from "../../kernel/api-keys.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { ListedKey } from "./keys.ts";

/** Longest time in seconds that the keys before a rotation can go on working. */
export const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

export interface KeyRotationRequest {
  readonly tokenId: bigint;
  /** Seconds that the keys of before go on working, at most MAX_GRACE_SECONDS. A shorter grace that already runs stays. */
  readonly graceSeconds: number;
}

export interface RotatedKey {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly keyId: string;
  /** Shown once. */
  readonly apiKey: string;
  readonly previousKeysValidUntil: Date;
  /** The keys that this rotation ends: then the owner's and the agent's own, and at once the agent's provisional one. */
  readonly endedKeys: readonly ListedKey[];
}

export interface KeyRotationStore {
  /**
   * Gives the agent a new key, and ends its provisional one at once and its others after the grace, in one transaction that
   * rotations of one agent take turns at.
   * Changes nothing when the key is there already. Resolves to when the others end, and which they are.
   */
  rotate(rotation: {
    readonly key: StoredKey;
    readonly tokenId: bigint;
    readonly epoch: number;
    readonly at: Date;
    readonly graceMs: number;
    readonly credential: Credential;
  }): Promise<{
    readonly keyId: string;
    readonly endOthersAt: Date;
    readonly ended: readonly ListedKey[];
  }>;
}

export interface KeyRotation {
  /**
   * A new key for an agent, in the seal epoch that the chain has it in.
   *
   * @param operationKey the same for every try of one operation: its tries give the same key.
   * @param credential the caller's: nothing is rotated once it has ended.
   * @throws ApiError NOT_FOUND when there is no such agent; UNAUTHORIZED; CHAIN_UNAVAILABLE.
   */
  rotate(
    request: KeyRotationRequest,
    operationKey: string,
    credential: Credential,
  ): Promise<RotatedKey>;
}

export interface KeyRotationOptions {
  readonly store: KeyRotationStore;
  readonly souls: ChainSouls;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

/** Exchanging an agent's API keys. Whether the caller may is decided before. */
export function createKeyRotation(options: KeyRotationOptions): KeyRotation {
  const { store, souls, secrets, clock } = options;
  return {
    async rotate({ tokenId, graceSeconds }, operationKey, credential) {
      const soul = await requireSoul(souls, tokenId, "live");
      // Derived, so that a try which resumes another one gives its key, and no copy of it has to rest anywhere.
      const apiKey = apiKeyOf(
        "live",
        secrets.hmac("rotated-api-key", [operationKey, tokenId.toString()]),
      );
      const { keyId, endOthersAt, ended } = await store.rotate({
        key: storedKeyOf(apiKey),
        tokenId,
        epoch: soul.epoch,
        at: clock(),
        graceMs: graceSeconds * 1000,
        credential,
      });
      const { passportId } = soul;
      return {
        tokenId,
        passportId,
        keyId,
        apiKey,
        previousKeysValidUntil: endOthersAt,
        endedKeys: ended,
      };
    },
  };
}
