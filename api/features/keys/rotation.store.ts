import { and, desc, eq, or } from "drizzle-orm";
import type { AssertLive, Credential } from "../../kernel/access.ts";
import { apiKeyOf, type StoredKey, storedKeyOf } from "../../kernel/api-keys.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import { apiKeyStore, lockKeysOf } from "./api-keys.store.ts";
import { apiKey } from "./tables.ts";

interface Rotating {
  readonly db: Database;
  readonly assertLive: AssertLive;
  readonly souls: ChainSouls;
  readonly secrets: Secrets;
  readonly clock: () => Date;
}

/** The rotation of agents' API keys. Whether the caller may is decided before. */
export function createKeyRotation({ db, assertLive, souls, secrets, clock }: Rotating) {
  return {
    /**
     * A new key for an agent, in the seal epoch that the chain has it in.
     *
     * @param graceSeconds that the keys of before go on working. A shorter grace that already runs stays.
     * @param operationKey the same for every try of one operation: its tries give the same key.
     * @param credential the caller's: nothing is rotated once it has ended.
     * @throws ApiError NOT_FOUND when there is no such agent; UNAUTHORIZED; CHAIN_UNAVAILABLE.
     */
    async rotate(
      { tokenId, graceSeconds }: { readonly tokenId: bigint; readonly graceSeconds: number },
      operationKey: string,
      credential: Credential,
    ) {
      const { epoch, passportId } = await requireSoul(souls, tokenId, "live");
      // Derived, so that a try which resumes another one gives its key, and no copy of it has to rest anywhere.
      const text = apiKeyOf(
        "live",
        secrets.hmac("rotated-api-key", [operationKey, tokenId.toString()]),
      );
      const { keyId, endOthersAt, ended } = await replaceKeys(db, assertLive, {
        key: storedKeyOf(text),
        tokenId,
        epoch,
        at: clock(),
        graceMs: graceSeconds * 1000,
        credential,
      });
      return {
        tokenId,
        passportId,
        keyId,
        /** Shown once. */
        apiKey: text,
        previousKeysValidUntil: endOthersAt,
        endedKeys: ended,
      };
    },
  };
}

/**
 * Gives the agent a new key, and ends its provisional one at once and its others after the grace, in one transaction that
 * rotations of one agent take turns at.
 * Changes nothing when the key is there already. Resolves to when the others end, and which they are: the owner's and the
 * agent's own then, the agent's provisional one at once.
 */
export function replaceKeys(
  db: Pick<Database, "transaction">,
  assertLive: AssertLive,
  rotation: {
    readonly key: StoredKey;
    readonly tokenId: bigint;
    readonly epoch: number;
    readonly at: Date;
    readonly graceMs: number;
    readonly credential: Credential;
  },
) {
  const { key, tokenId, epoch, at, graceMs, credential } = rotation;
  return db.transaction(async (tx) => {
    // Two rotations at once would not see each other's key, and both keys would live.
    await lockKeysOf(tx, tokenId);
    // An emergency stop holds the same lock until its end is stored.
    await assertLive(tx, credential);
    const keys = apiKeyStore(tx);
    const known = await keys.find(key.hash);
    const madeAt = known?.createdAt ?? at;
    const endOthersAt = new Date(madeAt.getTime() + graceMs);
    if (known === null) {
      // At once: within the grace it could be exchanged for a full key, which would outlive the rotation.
      await keys.revokeProvisionalOfToken(tokenId, madeAt);
      await keys.revokeAllOfToken(tokenId, endOthersAt);
    }
    // Those that end at exactly these moments are those that this rotation ends, also when its answer is asked for again.
    const ended = await tx
      .select()
      .from(apiKey)
      .where(
        and(
          eq(apiKey.tokenId, tokenId),
          or(
            eq(apiKey.revokedAt, endOthersAt),
            and(eq(apiKey.kind, "provisional"), eq(apiKey.revokedAt, madeAt)),
          ),
        ),
      )
      .orderBy(desc(apiKey.createdAt), apiKey.id);
    const issued = {
      ...key,
      kind: "live",
      holder: "owner",
      tokenId,
      epoch,
      createdAt: at,
    } as const;
    return { keyId: known?.id ?? (await keys.insert(issued)), endOthersAt, ended };
  });
}
