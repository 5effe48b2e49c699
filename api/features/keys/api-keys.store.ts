import type { SQL } from "drizzle-orm";
import { and, count, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { StoredKey } from "../../kernel/api-keys.ts";
import type { Executor } from "../../platform/database/connect.ts";
import { apiKey } from "./tables.ts";

/** Rotations, exchanges and the end of a claim take turns at one agent's keys, until the end of their transaction. */
export async function lockKeysOf(tx: Executor, tokenId: bigint): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`api_key:${tokenId}`}, 0))`);
}

/** Whether an emergency stop ended everything that acts for an agent in an epoch. */
export type WasStopped = (
  tx: Executor,
  of: { readonly tokenId: bigint; readonly epoch: number },
) => Promise<boolean>;

/**
 * Issues the key of an epoch's owner, with the transaction that completes the beginning of the
 * epoch. An emergency stop in the meantime has ended it before it is shown.
 */
export async function issueOwnerKey(
  tx: Executor,
  key: StoredKey & { readonly tokenId: bigint; readonly epoch: number; readonly at: Date },
  wasStopped: WasStopped,
): Promise<void> {
  const { at: createdAt, ...record } = key;
  await lockKeysOf(tx, key.tokenId);
  await tx.insert(apiKey).values({
    ...record,
    kind: "live",
    holder: "owner",
    registrationId: null,
    createdAt,
    revokedAt: (await wasStopped(tx, key)) ? createdAt : null,
  });
}

/** API keys in Postgres. Give it a transaction to issue a key together with what it belongs to. */
export function apiKeyStore(db: Executor) {
  async function revokeWhere(which: SQL | undefined, at: Date): Promise<number> {
    const revoked = await db
      .update(apiKey)
      .set({ revokedAt: at })
      // A key in its grace period can still be cut short, never prolonged.
      .where(and(which, or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, at))))
      .returning({ hash: apiKey.hash });
    return revoked.length;
  }

  return {
    /** Resolves to the new key's id. Rejects when the hash is already stored. */
    async insert(record: typeof apiKey.$inferInsert): Promise<string> {
      const [row] = await db.insert(apiKey).values(record).returning({ id: apiKey.id });
      if (row === undefined) throw new Error("An insert returned nothing.");
      return row.id;
    },

    /** The record, revoked or not; null when it was never issued. */
    async find(hash: Buffer) {
      const [row] = await db.select().from(apiKey).where(eq(apiKey.hash, hash));
      return row ?? null;
    },

    /** Records that the key was presented. */
    async recordUse(hash: Buffer, at: Date): Promise<void> {
      await db
        .update(apiKey)
        .set({ lastUsedAt: at })
        .where(
          and(eq(apiKey.hash, hash), or(isNull(apiKey.lastUsedAt), lt(apiKey.lastUsedAt, at))),
        );
    },

    /** Whether the agent itself holds a live key at `at`, provisional or full. */
    async hasAgentKey(tokenId: bigint, at: Date): Promise<boolean> {
      const [row] = await db
        .select({ id: apiKey.id })
        .from(apiKey)
        .where(
          and(
            eq(apiKey.tokenId, tokenId),
            eq(apiKey.holder, "agent"),
            or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, at)),
          ),
        )
        .limit(1);
      return row !== undefined;
    },

    /** Revokes what is live of an agent's keys, provisional ones included. Resolves to how many. */
    revokeAllOfToken: (tokenId: bigint, at: Date) => revokeWhere(eq(apiKey.tokenId, tokenId), at),

    /** Revokes what is live of an agent's provisional keys. Resolves to how many. */
    revokeProvisionalOfToken: (tokenId: bigint, at: Date) =>
      revokeWhere(and(eq(apiKey.tokenId, tokenId), eq(apiKey.kind, "provisional")), at),

    /** Revokes what is live of a registration's provisional keys. Resolves to how many. */
    revokeAllOfRegistration: (registrationId: string, at: Date) =>
      revokeWhere(eq(apiKey.registrationId, registrationId), at),
  };
}

/**
 * Makes a registration's provisional key one of the agent's keys, which can be exchanged until `until`. Within the transaction
 * that issues the claim's key. Where the owner has rotated the agent's keys already, the provisional key ends at `at` instead,
 * and this resolves to false.
 */
export async function keepForExchange(
  tx: Executor,
  keys: {
    readonly registrationId: string;
    readonly tokenId: bigint;
    readonly epoch: number;
    readonly at: Date;
    readonly until: Date;
  },
): Promise<boolean> {
  const { registrationId, tokenId, epoch, at, until } = keys;
  await lockKeysOf(tx, tokenId);
  const [owners] = await tx
    .select({ keys: count() })
    .from(apiKey)
    .where(and(eq(apiKey.tokenId, tokenId), eq(apiKey.kind, "live"), eq(apiKey.holder, "owner")));
  // The claim itself issued one. Another one is of a rotation that came while the claim was unfinished.
  const isRotated = (owners?.keys ?? 0) > 1;
  // A claim that was accepted in time may be finished after the key's own end: until then nothing else ends this key.
  await tx
    .update(apiKey)
    .set({ tokenId, epoch, holder: "agent", revokedAt: isRotated ? at : until })
    .where(and(eq(apiKey.registrationId, registrationId), eq(apiKey.kind, "provisional")));
  return !isRotated;
}
