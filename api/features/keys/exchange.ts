import type { StoredKey } from "../../kernel/api-keys.ts";
import { apiKeyOf, parseApiKey, storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import { byTokenId } from "../../soul/soul-ref.ts";

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
type ExchangeableKey = ProvisionalKey & { readonly tokenId: bigint; readonly epoch: number };

/** The keys that agents were given before their claim. */
export interface ProvisionalKeys {
  /** Null when there is no such provisional key. */
  findProvisional(hash: Buffer): Promise<ProvisionalKey | null>;
}

export interface KeyExchangeStore extends ProvisionalKeys {
  /** The id of the full key with one of these hashes; null for none. */
  findIssued(hashes: readonly Buffer[]): Promise<{ readonly id: string; hash: Buffer } | null>;
  /**
   * Ends the provisional key and issues the full one, in one transaction. One statement decides
   * which of several exchanges it is. Resolves to the new key's id, or to null when the provisional
   * key can no longer be exchanged.
   */
  exchange(exchange: {
    readonly provisionalHash: Buffer;
    readonly key: StoredKey;
    readonly tokenId: bigint;
    readonly epoch: number;
    readonly at: Date;
  }): Promise<string | null>;
}

export interface ExchangedKey {
  readonly keyId: string;
  /** Shown once. */
  readonly apiKey: string;
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly passportId: bigint;
  readonly registrationId: string;
}

export interface KeyExchange {
  /**
   * Exchanges the provisional key of a claimed agent for a full key of the agent's own.
   *
   * @param credential the caller's credential; null without one.
   * @param operationKey the same for every attempt of one operation: its attempts return the same
   * key.
   * @throws ApiError UNAUTHORIZED for anything that is not a valid provisional key; FORBIDDEN for a
   * full key, and when the owner left the agent no key; NOT_CLAIMED; GONE when the key was
   * exchanged or has expired; SUSPENDED once the passport has moved; BURNED; REGISTRY_PENDING,
   * CHAIN_UNAVAILABLE.
   */
  exchange(credential: string | null, operationKey: string): Promise<ExchangedKey>;
}

export interface KeyExchangeOptions {
  readonly store: KeyExchangeStore;
  readonly agents: IndexedAgents;
  readonly souls: ChainSouls;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

const KEY_PURPOSE = "exchanged-api-key";

export function createKeyExchange(options: KeyExchangeOptions): KeyExchange {
  const { store, agents, souls, secrets, clock } = options;

  async function knownKey(hash: Buffer): Promise<ProvisionalKey> {
    const key = await store.findProvisional(hash);
    if (key === null) throw new ApiError("UNAUTHORIZED");
    return key;
  }

  /** The agent, if its passport is still with its sealer in the epoch of the key. */
  async function currentAgent({ tokenId, epoch }: ExchangeableKey) {
    const { value: agent } = await agents.agent(byTokenId(tokenId));
    if (agent === null) throw new ApiError("REGISTRY_PENDING");
    const soul = await requireSoul(souls, tokenId, "live");
    if (soul.epoch !== epoch) throw new ApiError("UNAUTHORIZED");
    assertSoul(soul, "owned");
    return agent;
  }

  /**
   * Derived, so that a try that resumes another gives its key, and no copy of it has to rest
   * anywhere.
   */
  function derivedKeys(keyId: string, operationKey: string): string[] {
    return secrets.versions.map((version) =>
      apiKeyOf("live", secrets.hmac(KEY_PURPOSE, [operationKey, keyId], version)),
    );
  }

  return {
    async exchange(credential, operationKey) {
      const parsed = credential === null ? null : parseApiKey(credential);
      if (parsed === null) throw new ApiError("UNAUTHORIZED");
      if (parsed.kind !== "provisional") {
        throw new ApiError("FORBIDDEN", {
          message: "Only a provisional key can be exchanged, and this is a full key.",
        });
      }
      const provisional = await knownKey(parsed.hash);
      const candidates = derivedKeys(provisional.id, operationKey);
      const issued = await store.findIssued(candidates.map((key) => storedKeyOf(key).hash));
      if (issued === null) assertExchangeable(provisional, clock());
      const key = provisional as ExchangeableKey;
      const agent = await currentAgent(key);
      const answer = (keyId: string, apiKey: string): ExchangedKey => ({
        keyId,
        apiKey,
        tokenId: key.tokenId,
        agentName: agent.soul.name,
        passportId: agent.soul.passportId,
        registrationId: key.registration.publicId ?? "",
      });
      if (issued !== null) {
        const apiKey = candidates.find((text) => storedKeyOf(text).hash.equals(issued.hash));
        return answer(issued.id, apiKey as string);
      }
      const apiKey = candidates[0] as string;
      const keyId = await store.exchange({
        provisionalHash: parsed.hash,
        key: storedKeyOf(apiKey),
        tokenId: key.tokenId,
        epoch: key.epoch,
        at: clock(),
      });
      if (keyId !== null) return answer(keyId, apiKey);
      // Another exchange, a rotation or a revocation came first: say which.
      assertExchangeable(await knownKey(parsed.hash), clock());
      throw new ApiError("UNAUTHORIZED");
    },
  };
}

/** @throws ApiError that says why the key cannot be exchanged. */
function assertExchangeable(key: ProvisionalKey, at: Date): asserts key is ExchangeableKey {
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
