import { and, desc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import { pageOf } from "../../kernel/list-pages.ts";
import type { Database } from "../../platform/database/connect.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import { apiKeyStore, lockKeysOf } from "./api-keys.store.ts";
import type { KeyExchangeStore, ProvisionalKeys } from "./exchange.ts";
import type { AgentKeys } from "./keys.ts";
import { apiKey } from "./tables.ts";

/** The keys of agents as their owners see them, in Postgres. */
export function createAgentKeys(db: Database, clock: () => Date): AgentKeys {
  return {
    async list(tokenId, { limit, after }) {
      const isAfter = rowsAfter(after, "desc", (last) => [
        [apiKey.createdAt, last.createdAt],
        [apiKey.id, last.id],
      ]);
      const found = await db
        .select()
        .from(apiKey)
        .where(and(eq(apiKey.tokenId, tokenId), isAfter))
        .orderBy(desc(apiKey.createdAt), desc(apiKey.id))
        .limit(limit + 1);
      return pageOf(found, limit, ({ createdAt, id }) => ({ createdAt, id }));
    },

    async agentOf(keyId) {
      const [row] = await db
        .select({ tokenId: apiKey.tokenId })
        .from(apiKey)
        .where(eq(apiKey.id, keyId));
      return row?.tokenId ?? null;
    },

    async revoke(keyId) {
      const at = clock();
      await db
        .update(apiKey)
        .set({ revokedAt: at })
        .where(and(eq(apiKey.id, keyId), or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, at))));
    },
  };
}

/** Exchanging provisional keys, in Postgres. */
export function createKeyExchangeStore(
  db: Database,
  provisionalKeys: ProvisionalKeys,
): KeyExchangeStore {
  return {
    findProvisional: provisionalKeys.findProvisional,

    async findIssued(hashes) {
      const [row] = await db
        .select({ id: apiKey.id, hash: apiKey.hash })
        .from(apiKey)
        .where(inArray(apiKey.hash, [...hashes]));
      return row ?? null;
    },

    exchange: ({ provisionalHash, key, tokenId, epoch, at }) =>
      db.transaction(async (tx) => {
        // A rotation at the same time would not see the new key, and it would outlive the rotation.
        await lockKeysOf(tx, tokenId);
        const ended = await tx
          .update(apiKey)
          .set({ exchangedAt: at, revokedAt: at })
          .where(
            and(
              eq(apiKey.hash, provisionalHash),
              eq(apiKey.kind, "provisional"),
              eq(apiKey.tokenId, tokenId),
              eq(apiKey.epoch, epoch),
              isNull(apiKey.exchangedAt),
              gt(apiKey.revokedAt, at),
            ),
          )
          .returning({ id: apiKey.id });
        if (ended.length === 0) return null;
        return apiKeyStore(tx).insert({
          ...key,
          kind: "live",
          holder: "agent",
          tokenId,
          registrationId: null,
          epoch,
          createdAt: at,
        });
      }),
  };
}
