import {
  and,
  asc,
  eq,
  gt,
  gte,
  inArray,
  ne,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import {
  chainViews,
  checkpoint,
  firstOf,
  indexedPointText,
  pointOf,
  readable,
} from "../../soul/index-views.store.ts";
import { AGENT_WALLET, checksummed } from "../../soul/indexed-agent.store.ts";
import type { EndedSoulsIndex } from "./clear-ended-status.ts";
import type { ComparedPage } from "./index-comparison.ts";
import type { WatchIndex } from "./passport-watch.ts";

const { soul, passport, passportOwner, passportMetadata, organization } = chainViews;

/** A soul that a passport was bound to after another one. */
const laterSoul = alias(soul, "later_soul");

/** Where a passport says what its soul is. */
const STATUS = "svcStatus";

/** Finds, in the index, passports that may have left their sealer, and what ended souls left. */
export function createSuspensionCandidates(
  pool: Pool,
): Omit<WatchIndex, "indexedBlock"> & EndedSoulsIndex {
  const db = drizzle(pool);

  async function comparedPage(which: SQL | undefined, limit: number): Promise<ComparedPage> {
    const rows = await readable(() =>
      db
        .select({
          point: indexedPointText(db),
          tokenId: soul.tokenId,
          passportId: soul.passportId,
          epoch: soul.epoch,
          version: soul.version,
          suspended: sql<boolean>`${soul.suspendedOwner} is not null`.as("suspended"),
          mintBlock: soul.mintBlock,
          owner: passport.owner,
          ownerSinceBlock: passport.ownerSinceBlock,
        })
        .from(soul)
        .leftJoin(passport, eq(passport.id, soul.passportId))
        .where(which)
        .orderBy(asc(soul.tokenId))
        .limit(limit),
    );
    const [first] = rows;
    return {
      at: first === undefined ? 0n : pointOf(first.point).block,
      souls: rows.map(({ point: _of, owner, ...facts }) => ({
        ...facts,
        owner: checksummed(owner),
      })),
    };
  }

  return {
    async passportTraces(from, upTo, limit) {
      const [block, id] = [from.block.toString(), from.id.toString()];
      // Each kind of trace is limited: a watch that is far behind must not read all that follows.
      const first = (table: SQLWrapper, at: SQL, where: SQL) => sql`(
        select distinct ${at} as block, trace.passport_id from ${table} as trace
        where ${where} and ${at} between ${block} and ${upTo.toString()}
          and (${at}, trace.passport_id) >= (${block}, ${id})
          and exists (select 1 from ${soul}
            where ${soul.passportId} = trace.passport_id and ${soul.status} <> 'BURNED')
        order by 1, 2 limit ${limit})`;
      const { rows } = await readable(() =>
        db.execute<{ block: string; passport_id: string }>(sql`
          ${first(passportOwner, sql`trace.block`, sql`true`)}
          union
          ${first(passportMetadata, sql`trace.updated_block`, sql`trace.key = ${AGENT_WALLET} and trace.value = '0x'`)}
          order by block, passport_id limit ${limit}`),
      );
      return rows.map((row) => ({
        block: BigInt(row.block),
        passportId: BigInt(row.passport_id),
      }));
    },

    comparedSouls: (from, limit) =>
      comparedPage(and(gte(soul.tokenId, from), ne(soul.status, "BURNED")), limit),

    comparedPassports: (passportIds) =>
      comparedPage(
        and(inArray(soul.passportId, [...passportIds]), ne(soul.status, "BURNED")),
        passportIds.length,
      ),

    async counters() {
      const rows = await readable(() =>
        db
          .select({ souls: db.$count(soul), organizations: db.$count(organization) })
          .from(checkpoint),
      );
      const { souls, organizations } = firstOf(rows);
      return { souls: BigInt(souls), organizations: BigInt(organizations) };
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
