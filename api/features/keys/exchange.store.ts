import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import { apiKeyOf, parseApiKey, type StoredKey, storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import { apiKeyStore, lockKeysOf } from "./api-keys.store.ts";
import { assertExchangeable, type ExchangeableKey, type ProvisionalKeys } from "./exchange.ts";
import { apiKey } from "./tables.ts";

interface Exchanging {
  readonly db: Database;
  readonly provisionalKeys: ProvisionalKeys;
  readonly index: IndexedAgents;
  readonly souls: ChainSouls;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

const KEY_PURPOSE = "exchanged-api-key";

export function createKeyExchange(options: Exchanging) {
  const { db, index, souls, secrets, clock } = options;

  async function knownKey(hash: Buffer) {
    const key = await options.provisionalKeys.findProvisional(hash);
    if (key === null) throw new ApiError("UNAUTHORIZED");
    return key;
  }

  /** The agent, if its passport is still with its sealer in the epoch of the key. */
  async function currentAgent({ tokenId, epoch }: ExchangeableKey) {
    const { value: agent } = await index.agent(byTokenId(tokenId));
    if (agent === null) throw new ApiError("REGISTRY_PENDING");
    const soul = await requireSoul(souls, tokenId, "live");
    if (soul.epoch !== epoch) throw new ApiError("UNAUTHORIZED");
    assertSoul(soul, "owned");
    return agent;
  }

  return {
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
    async exchange(credential: string | null, operationKey: string) {
      const parsed = credential === null ? null : parseApiKey(credential);
      if (parsed === null) throw new ApiError("UNAUTHORIZED");
      if (parsed.kind !== "provisional") {
        throw new ApiError("FORBIDDEN", {
          message: "Only a provisional key can be exchanged, and this is a full key.",
        });
      }
      const provisional = await knownKey(parsed.hash);
      // Derived, so that a try that resumes another gives its key, and no copy of it has to rest anywhere.
      const candidates = secrets.versions.map((version) =>
        apiKeyOf("live", secrets.hmac(KEY_PURPOSE, [operationKey, provisional.id], version)),
      );
      const hashes = candidates.map((text) => storedKeyOf(text).hash);
      const [issued] = await db
        .select({ id: apiKey.id, hash: apiKey.hash })
        .from(apiKey)
        .where(inArray(apiKey.hash, hashes));
      if (issued === undefined) assertExchangeable(provisional, clock());
      const key = provisional as ExchangeableKey;
      const { soul } = await currentAgent(key);
      const at = issued === undefined ? 0 : hashes.findIndex((hash) => hash.equals(issued.hash));
      const text = candidates[at] as string;
      const stored = { ...storedKeyOf(text), tokenId: key.tokenId, epoch: key.epoch };
      const keyId = issued?.id ?? (await exchangeKey(db, parsed.hash, stored, clock()));
      if (keyId === null) {
        // Another exchange, a rotation or a revocation came first: say which.
        assertExchangeable(await knownKey(parsed.hash), clock());
        throw new ApiError("UNAUTHORIZED");
      }
      return {
        keyId,
        /** Shown once. */
        apiKey: text,
        tokenId: key.tokenId,
        agentName: soul.name,
        passportId: soul.passportId,
        registrationId: key.registration.publicId ?? "",
      };
    },
  };
}

/**
 * Ends the provisional key and issues the full one, in one transaction. One statement decides
 * which of several exchanges it is. Resolves to the new key's id, or to null when the provisional
 * key can no longer be exchanged.
 */
export function exchangeKey(
  db: Database,
  provisionalHash: Buffer,
  key: StoredKey & { readonly tokenId: bigint; readonly epoch: number },
  at: Date,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    // A rotation at the same time would not see the new key, and it would outlive the rotation.
    await lockKeysOf(tx, key.tokenId);
    const ended = await tx
      .update(apiKey)
      .set({ exchangedAt: at, revokedAt: at })
      .where(
        and(
          eq(apiKey.hash, provisionalHash),
          eq(apiKey.kind, "provisional"),
          eq(apiKey.tokenId, key.tokenId),
          eq(apiKey.epoch, key.epoch),
          isNull(apiKey.exchangedAt),
          gt(apiKey.revokedAt, at),
        ),
      )
      .returning({ id: apiKey.id });
    if (ended.length === 0) return null;
    return apiKeyStore(tx).insert({ ...key, kind: "live", holder: "agent", createdAt: at });
  });
}
