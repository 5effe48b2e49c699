import { and, asc, eq, gt, gte, ne, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { chainViews, readable } from "../../soul/index-views.store.ts";
import { AGENT_WALLET } from "../../soul/indexed-agent.store.ts";
import type { EndedSoulsIndex } from "./clear-ended-status.ts";
import type { WatchIndex } from "./passport-watch.ts";

const { soul, passportOwner, passportMetadata } = chainViews;

/** A soul that a passport was bound to after another one. */
const laterSoul = alias(soul, "later_soul");

/** Where a passport says what its soul is. */
const STATUS = "svcStatus";

/** Finds, in the index, passports that may have left their sealer, and what ended souls left. */
export function createSuspensionCandidates(
  pool: Pool,
): Omit<WatchIndex, "indexedBlock"> & EndedSoulsIndex {
  const db = drizzle(pool);
  return {
    async passportTraces(from, upTo, limit) {
      const { rows } = await readable(() =>
        db.execute<{ block: string; passport_id: string }>(sql`
          select traces.block, traces.passport_id from (
            select passport_id, block from ${passportOwner}
            where block between ${from.block.toString()} and ${upTo.toString()}
            union
            select passport_id, updated_block from ${passportMetadata}
            where key = ${AGENT_WALLET} and value = '0x'
              and updated_block between ${from.block.toString()} and ${upTo.toString()}
          ) as traces
          where (traces.block, traces.passport_id) >= (${from.block.toString()}, ${from.id.toString()})
            and exists (select 1 from ${soul}
              where ${soul.passportId} = traces.passport_id and ${soul.status} <> 'BURNED')
          order by traces.block, traces.passport_id limit ${limit}`),
      );
      return rows.map((row) => ({
        block: BigInt(row.block),
        passportId: BigInt(row.passport_id),
      }));
    },

    async soulPassports(from, limit) {
      return readable(() =>
        db
          .select({ tokenId: soul.tokenId, passportId: soul.passportId })
          .from(soul)
          .where(and(gte(soul.tokenId, from), ne(soul.status, "BURNED")))
          .orderBy(asc(soul.tokenId))
          .limit(limit),
      );
    },

    async statusesLeft(since, limit) {
      const rows = await readable(() =>
        db
          .select({ tokenId: soul.tokenId })
          .from(soul)
          .innerJoin(
            passportMetadata,
            and(
              eq(passportMetadata.passportId, soul.passportId),
              eq(passportMetadata.key, STATUS),
              ne(passportMetadata.value, "0x"),
            ),
          )
          .where(
            and(
              eq(soul.status, "BURNED"),
              gte(soul.burnedAt, BigInt(Math.floor(since.getTime() / 1000))),
              // A passport that was bound again says what its later soul is.
              notExists(
                db
                  .select({ one: sql`1` })
                  .from(laterSoul)
                  .where(
                    and(
                      eq(laterSoul.passportId, soul.passportId),
                      gt(laterSoul.tokenId, soul.tokenId),
                    ),
                  ),
              ),
            ),
          )
          .orderBy(asc(soul.tokenId))
          .limit(limit),
      );
      return rows.map(({ tokenId }) => tokenId);
    },
  };
}
