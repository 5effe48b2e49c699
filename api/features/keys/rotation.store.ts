import { and, desc, eq, or } from "drizzle-orm";
import type { AssertLive } from "../../kernel/access.ts";
import type { Database } from "../../platform/database/connect.ts";
import { apiKeyStore, lockKeysOf } from "./api-keys.store.ts";
import type { KeyRotationStore } from "./rotation.ts";
import { apiKey } from "./tables.ts";

/** Exchanging API keys, in Postgres. */
export function keyRotationStore(db: Database, assertLive: AssertLive): KeyRotationStore {
  return {
    rotate: ({ key, tokenId, epoch, at, graceMs, credential }) =>
      db.transaction(async (tx) => {
        // Two rotations at once would not see each other's key, and both keys would live.
        await lockKeysOf(tx, tokenId);
        // An emergency stop holds the same lock until its end is stored.
        await assertLive(tx, credential);
        const [known] = await tx
          .select({ id: apiKey.id, createdAt: apiKey.createdAt })
          .from(apiKey)
          .where(eq(apiKey.hash, key.hash));
        const madeAt = known?.createdAt ?? at;
        const endOthersAt = new Date(madeAt.getTime() + graceMs);
        const keys = apiKeyStore(tx);
        if (known === undefined) {
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
        const keyId =
          known?.id ??
          (await keys.insert({
            ...key,
            kind: "live",
            holder: "owner",
            tokenId,
            registrationId: null,
            epoch,
            createdAt: at,
          }));
        return { keyId, endOthersAt, ended };
      }),
  };
}
