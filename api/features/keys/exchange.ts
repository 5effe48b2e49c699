import { ApiError } from "../../kernel/errors.ts";

/** How long after the claim the agent can exchange its provisional key. */
export const EXCHANGE_MS = 7 * 24 * 60 * 60 * 1000;

/** A provisional key with the registration that it was issued with. */
export interface ProvisionalKey {
  readonly id: string;
  /** Null before the claim, and when the owner did not let the agent keep a key. */
  readonly tokenId: bigint | null;
  readonly epoch: number | null;
  readonly revokedAt: Date | null;
  readonly exchangedAt: Date | null;
  readonly registration: {
    readonly state: "pending" | "claiming" | "claimed" | "deleted";
    /** Until when it can be claimed. */
    readonly expiresAt: Date;
    /** When it was claimed or deleted; null before. */
    readonly endedAt: Date | null;
    /** The id that agent and owner know it by; null before the claim. */
    readonly publicId: string | null;
  };
}

/** A provisional key that can be exchanged. */
export type ExchangeableKey = ProvisionalKey & {
  readonly tokenId: bigint;
  readonly epoch: number;
};

/** The keys that agents were given before their claim. */
export interface ProvisionalKeys {
  /** Null when there is no such provisional key. */
  findProvisional(hash: Buffer): Promise<ProvisionalKey | null>;
}

/** @throws ApiError that says why the key cannot be exchanged. */
export function assertExchangeable(key: ProvisionalKey, at: Date): asserts key is ExchangeableKey {
  const { tokenId, registration, revokedAt } = key;
  if (key.exchangedAt !== null) {
    throw ended(
      "exchanged",
      "This key was exchanged already. If that was not you, tell the owner.",
    );
  }
  if (registration.state === "deleted") throw unclaimed();
  if (registration.state !== "claimed") {
    if (registration.state === "pending" && registration.expiresAt < at) throw unclaimed();
    throw new ApiError("NOT_CLAIMED", {
      message: "The agent's owner has not claimed it yet. Exchange the key after the claim.",
      details: { claimExpiresAt: registration.expiresAt.toISOString() },
    });
  }
  if (tokenId === null) {
    throw new ApiError("FORBIDDEN", {
      message: "The owner decided at the claim that the agent keeps no key. Ask the owner for one.",
    });
  }
  if (revokedAt !== null && revokedAt > at) return;
  const { endedAt: claimedAt } = registration;
  if (claimedAt !== null && claimedAt.getTime() + EXCHANGE_MS <= at.getTime()) {
    throw ended("expired", "The seven days after the claim are over. Ask the owner for a key.");
  }
  // The owner revoked it.
  throw new ApiError("UNAUTHORIZED");
}

function unclaimed(): ApiError {
  return ended("unclaimed", "This registration was not claimed in time. Register again.");
}

function ended(reason: "exchanged" | "expired" | "unclaimed", message: string): ApiError {
  return new ApiError("GONE", { message, details: { reason } });
}
