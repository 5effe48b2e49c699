import { and, desc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { agentRegistration } from "../claims/tables.ts";
import { registration } from "../registration/tables.ts";
import { apiKeyStore, lockKeysOf } from "./api-keys.store.ts";
import type { KeyExchangeStore } from "./exchange.ts";
import type { AgentKeys } from "./keys.ts";
import { apiKey } from "./tables.ts";

/** The keys of agents as their owners see them, in Postgres. */
export function createAgentKeys(db: Database, clock: () => Date): AgentKeys {
  return {
    list: (tokenId) =>
      db
        .select()
        .from(apiKey)
        .where(eq(apiKey.tokenId, tokenId))
        .orderBy(desc(apiKey.createdAt), apiKey.id),

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
export function createKeyExchangeStore(db: Database): KeyExchangeStore {
  return {
    async findProvisional(hash) {
      const [row] = await db
        .select({
          id: apiKey.id,
          tokenId: apiKey.tokenId,
          epoch: apiKey.epoch,
          revokedAt: apiKey.revokedAt,
          exchangedAt: apiKey.exchangedAt,
          registration: {
            state: agentRegistration.state,
            expiresAt: agentRegistration.expiresAt,
            endedAt: agentRegistration.endedAt,
            publicId: sql<string | null>`${registration.payload} #>> '{origin,publicId}'`,
          },
        })
        .from(apiKey)
        .innerJoin(agentRegistration, eq(agentRegistration.id, apiKey.registrationId))
        .leftJoin(registration, eq(registration.id, agentRegistration.claimId))
        .where(and(eq(apiKey.hash, hash), eq(apiKey.kind, "provisional")));
      return row ?? null;
    },

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
