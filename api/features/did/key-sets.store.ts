import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { chainViews, indexedPointText, pointOf, readable } from "../../soul/index-views.store.ts";
import type { KeySetReads } from "./key-sets.ts";

/** The index as key sets use it, as prepared statements over `pool`. */
export function createKeySetReads(pool: Pool): KeySetReads {
  const { agentKeys } = chainViews;
  const db = drizzle(pool);
  /** One row, whether keys were set or not. */
  const one = sql`(values (1)) as one(n)`;
  const byTokenId = db
    .select({
      point: indexedPointText(db),
      keys: {
        epoch: agentKeys.epoch,
        keysHash: agentKeys.keysHash,
        archiveId: agentKeys.archiveId,
      },
    })
    .from(one)
    .leftJoin(agentKeys, eq(agentKeys.tokenId, sql.placeholder("tokenId")))
    .prepare("chain_agent_keys");

  return {
    async keysOf(tokenId) {
      const [row] = await readable(() => byTokenId.execute({ tokenId: tokenId.toString() }));
      return { at: pointOf(row?.point ?? null), value: row?.keys ?? null };
    },
  };
}
