import { ApiError } from "../errors.ts";
import type { AgentOwners } from "./access.ts";
import { apiKeyOf, hashApiKey } from "./api-keys.ts";
import type { Secrets } from "./secrets.ts";

/** Longest time in seconds that the keys before a rotation can go on working. */
export const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

export interface KeyRotationRequest {
  readonly tokenId: bigint;
  /** Seconds that the keys of before go on working, at most MAX_GRACE_SECONDS. A shorter grace that already runs stays. */
  readonly graceSeconds: number;
}

export interface RotatedKey {
  readonly tokenId: bigint;
  /** Shown once. */
  readonly apiKey: string;
  readonly previousKeysValidUntil: Date;
}

export interface KeyRotationStore {
  /**
   * Gives the agent a new key and ends its others at `endOthersAt`, in one transaction that rotations of one agent take turns at.
   * Does nothing when the key is there already. Resolves to when the key was made.
   */
  rotate(rotation: {
    readonly hash: Buffer;
    readonly tokenId: bigint;
    readonly epoch: bigint;
    readonly at: Date;
    readonly endOthersAt: Date;
  }): Promise<Date>;
}

export interface KeyRotation {
  /**
   * A new key for an agent, in the seal epoch that the chain has it in.
   *
   * @param operationKey the same for every try of one operation: its tries give the same key.
   * @throws ApiError NOT_FOUND when there is no such agent; CHAIN_UNAVAILABLE.
   */
  rotate(request: KeyRotationRequest, operationKey: string): Promise<RotatedKey>;
}

export interface KeyRotationOptions {
  readonly store: KeyRotationStore;
  readonly owners: AgentOwners;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

/** Exchanging an agent's API keys. Whether the caller may is decided before. */
export function createKeyRotation(options: KeyRotationOptions): KeyRotation {
  const { store, owners, secrets, clock } = options;
  return {
    async rotate({ tokenId, graceSeconds }, operationKey) {
      const agent = await owners.ownerOfAgent(tokenId);
      if (agent === null) throw new ApiError("NOT_FOUND");
      // Derived, so that a try which resumes another one gives its key, and no copy of it has to rest anywhere.
      const apiKey = apiKeyOf(
        "live",
        secrets.hmac("rotated-api-key", [operationKey, tokenId.toString()]),
      );
      const at = clock();
      const madeAt = await store.rotate({
        hash: hashApiKey(apiKey),
        tokenId,
        epoch: agent.epoch,
        at,
        endOthersAt: after(at, graceSeconds),
      });
      return { tokenId, apiKey, previousKeysValidUntil: after(madeAt, graceSeconds) };
    },
  };
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
