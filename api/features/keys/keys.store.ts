import { and, desc, eq, getTableColumns, gt, isNull, or } from "drizzle-orm";
import { type CursorPage, pageOf } from "../../kernel/list-pages.ts";
import type { Database } from "../../platform/database/connect.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import { apiKey } from "./tables.ts";

/** Where a key is in its agent's list. */
type KeyPosition = Pick<typeof apiKey.$inferSelect, "createdAt" | "id">;

/** What an owner may see of a key: not its hash. */
const {
  hash: _hash,
  tokenId: _tokenId,
  registrationId: _registrationId,
  ...listed
} = getTableColumns(apiKey);

/** The keys of agents as their owners see them, in Postgres. */
export function createAgentKeys(db: Database, clock: () => Date) {
  return {
    /** A page of an agent's keys, of all epochs, the newest first. */
    async list(tokenId: bigint, { limit, after }: CursorPage<KeyPosition>) {
      const isAfter = rowsAfter(after, "desc", (last) => [
        [apiKey.createdAt, last.createdAt],
        [apiKey.id, last.id],
      ]);
      const found = await db
        .select(listed)
        .from(apiKey)
        .where(and(eq(apiKey.tokenId, tokenId), isAfter))
        .orderBy(desc(apiKey.createdAt), desc(apiKey.id))
        .limit(limit + 1);
      return pageOf(found, limit, ({ createdAt, id }) => ({ createdAt, id }));
    },

    /** The agent whose key this is; null when there is no such key, or its registration is not claimed. */
    async agentOf(keyId: string): Promise<bigint | null> {
      const [row] = await db
        .select({ tokenId: apiKey.tokenId })
        .from(apiKey)
        .where(eq(apiKey.id, keyId));
      return row?.tokenId ?? null;
    },

    /** Ends the key now. Does nothing when it has ended. */
    async revoke(keyId: string): Promise<void> {
      const at = clock();
      await db
        .update(apiKey)
        .set({ revokedAt: at })
        .where(and(eq(apiKey.id, keyId), or(isNull(apiKey.revokedAt), gt(apiKey.revokedAt, at))));
    },
  };
}
