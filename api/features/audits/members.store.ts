import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import type { IndexAge } from "../../soul/index-age.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  readable,
} from "../../soul/index-views.store.ts";
import type { MembersOf } from "./audits.ts";

const { membership, soul } = chainViews;
const { checkpoint, point } = indexedUpTo;

/** The recorded members of an organization, by the index: the chain says which of them are live. */
export function createRecordedMembers(pool: Pool, age: IndexAge): MembersOf {
  const db = drizzle(pool);
  return async (organizationId) => {
    const rows = await readable(() =>
      db
        .select({
          point,
          tokenId: soul.tokenId,
          name: soul.name,
          epoch: soul.epoch,
          sealer: soul.sealer,
        })
        .from(checkpoint)
        .leftJoin(membership, eq(membership.organizationId, organizationId))
        .leftJoin(soul, eq(soul.tokenId, membership.tokenId))
        .orderBy(asc(soul.tokenId)),
    );
    const at = decodeCheckpoint(firstOf(rows).point);
    if (!age.isFresh(at)) throw age.behind(at);
    return rows.flatMap(({ tokenId, name, epoch, sealer }) =>
      tokenId === null || name === null || epoch === null || sealer === null
        ? []
        : [{ tokenId, name, epoch, sealer }],
    );
  };
}
