import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { zeroAddress } from "viem";
import { readInBatches } from "../../kernel/batches.ts";
import { arrayParameter } from "../../platform/database/array-parameter.ts";
import type { Reading } from "../../soul/index-reads.ts";
import {
  chainViews,
  indexedPointText,
  mayBeOfAnItem,
  pointOf,
  readable,
} from "../../soul/index-views.store.ts";
import { AGENT_WALLET } from "../../soul/indexed-agent.store.ts";
import type { KeySetRecord } from "./key-sets.ts";

/** The index as key sets use it, as prepared statements over `pool`. */
export function createKeySetReads(pool: Pool) {
  const { agentKeys, soul, passportMetadata } = chainViews;
  const db = drizzle(pool);
  const byTokenId = db
    .select({
      point: indexedPointText(db),
      keys: {
        epoch: agentKeys.epoch,
        keysHash: agentKeys.keysHash,
        archiveId: agentKeys.archiveId,
        hasAgentWallet: sql<boolean>`(not ${agentKeys.onlyWithAgentWallet} or coalesce(${passportMetadata.value}
          = case ${soul.operator} when ${zeroAddress} then ${soul.sealer} else ${soul.operator} end, false))`,
      },
    })
    // One row for each, whether keys were set or not.
    .from(
      sql`unnest(${arrayParameter("tokenIds", "numeric")}) with ordinality as wanted(id, place)`,
    )
    .leftJoin(agentKeys, sql`${agentKeys.tokenId} = wanted.id`)
    .leftJoin(soul, eq(soul.tokenId, agentKeys.tokenId))
    .leftJoin(
      passportMetadata,
      and(eq(passportMetadata.passportId, soul.passportId), eq(passportMetadata.key, AGENT_WALLET)),
    )
    .orderBy(sql`wanted.place`)
    .prepare("chain_keys_of_agents");
  const keysOf = readInBatches(
    (tokenIds: readonly string[]) => readable(() => byTokenId.execute({ tokenIds })),
    mayBeOfAnItem,
  );

  return {
    async keysOf(tokenId: bigint): Promise<Reading<KeySetRecord | null>> {
      const { point, keys } = await keysOf(tokenId.toString());
      return { at: pointOf(point), value: keys };
    },
  };
}
