import {
  and,
  asc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  max,
  ne,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { Hex } from "viem";
import {
  chainViews,
  checkpoint,
  decodeCheckpoint,
  firstOf,
  indexedPointText,
  point,
  pointOf,
  readable,
} from "../../soul/index-views.store.ts";
import { AGENT_WALLET, checksummed } from "../../soul/indexed-agent.store.ts";
import type { EndedSoulsIndex } from "./clear-ended-status.ts";
import type { ComparedPassport } from "./index-comparison.ts";
import type { WatchIndex } from "./passport-watch.ts";

const { soul, passport, passportOwner, passportMetadata, organization, allowance } = chainViews;

/** Passports among which one statement looks for those without a soul. */
const LOOKED_THROUGH = 10_000;

interface ComparedRow {
  readonly passportId: bigint;
  readonly held:
    | (Pick<ComparedPassport, "ownerSinceBlock"> & { readonly owner: Hex | null })
    | null;
  readonly living: Omit<NonNullable<ComparedPassport["soul"]>, "allowance"> | null;
  readonly spending: {
    readonly version: number;
    readonly day: number | null;
    readonly spentToday: bigint;
  } | null;
}

/** A soul that a passport was bound to after another one. */
const laterSoul = alias(soul, "later_soul");

/** Where a passport says what its soul is. */
const STATUS = "svcStatus";

/** Finds, in the index, passports that may have left their sealer, and what ended souls left. */
export function createSuspensionCandidates(
  pool: Pool,
): Omit<WatchIndex, "indexedBlock"> & EndedSoulsIndex {
  const db = drizzle(pool);

  const soulOf = {
    tokenId: soul.tokenId,
    epoch: soul.epoch,
    version: soul.version,
    passportVersion: soul.passportVersion,
    suspended: sql<boolean>`${soul.suspendedOwner} is not null`.as("suspended"),
    mintBlock: soul.mintBlock,
  };
  const ofEpoch = and(eq(allowance.tokenId, soul.tokenId), eq(allowance.epoch, soul.epoch));
  const allowanceOf = {
    version: allowance.version,
    day: allowance.spentDay,
    spentToday: allowance.spentToday,
  };
  const isLiving = ne(soul.status, "BURNED");

  /** Rows of the index itself: `ownerOf` would hide that one differs. */
  function comparedRow({ passportId, held, living, spending }: ComparedRow): ComparedPassport {
    return {
      passportId,
      owner: checksummed(held?.owner ?? null),
      ownerSinceBlock: held?.ownerSinceBlock ?? null,
      soul: living && {
        ...living,
        allowance: spending && { ...spending, day: spending.day ?? 0 },
      },
    };
  }

  const heldAs = { owner: passport.owner, ownerSinceBlock: passport.ownerSinceBlock };

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

    async comparedSouls(from, limit) {
      const rows = await readable(() =>
        db
          .select({
            point: indexedPointText(db),
            passportId: soul.passportId,
            held: heldAs,
            living: soulOf,
            spending: allowanceOf,
          })
          .from(soul)
          .leftJoin(passport, eq(passport.id, soul.passportId))
          .leftJoin(allowance, ofEpoch)
          .where(and(gte(soul.tokenId, from), isLiving))
          .orderBy(asc(soul.tokenId))
          .limit(limit),
      );
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        at: rows[0] === undefined ? 0n : pointOf(rows[0].point).block,
        passports: rows.map(comparedRow),
        next: last === undefined ? null : last.living.tokenId + 1n,
      };
    },

    async comparedSoulless(from, limit) {
      // Of a bounded number of passports: most may carry souls, and no index holds the others.
      const some = db
        .select({
          id: passport.id,
          soulTokenId: passport.soulTokenId,
          owner: passport.owner,
          ownerSinceBlock: passport.ownerSinceBlock,
        })
        .from(passport)
        .where(gte(passport.id, from))
        .orderBy(asc(passport.id))
        .limit(LOOKED_THROUGH)
        .as("some");
      const of = db
        .select()
        .from(some)
        .where(and(isNull(some.soulTokenId), isNotNull(some.owner)))
        .orderBy(asc(some.id))
        .limit(limit)
        .as("soulless");
      const rows = await readable(() =>
        db
          .select({
            point,
            passportId: of.id,
            held: { owner: of.owner, ownerSinceBlock: of.ownerSinceBlock },
            end: sql<
              string | null
            >`(select max(${some.id}) from ${some} having count(*) = ${LOOKED_THROUGH})`.as("end"),
          })
          .from(checkpoint)
          .leftJoin(of, sql`true`)
          .orderBy(asc(of.id)),
      );
      const passports = rows.flatMap(({ passportId, held }) =>
        passportId === null
          ? []
          : [comparedRow({ passportId, held, living: null, spending: null })],
      );
      const first = firstOf(rows);
      const end = first.end === null ? undefined : BigInt(first.end);
      const last = passports.length < limit ? end : passports.at(-1)?.passportId;
      return {
        at: pointOf(first.point).block,
        passports,
        next: last === undefined ? null : last + 1n,
      };
    },

    async comparedPassports(passportIds) {
      const rows = await readable(() =>
        db
          .select({
            point,
            passportId: sql<bigint>`wanted.id`.mapWith(BigInt).as("wanted_id"),
            held: heldAs,
            living: soulOf,
            spending: allowanceOf,
          })
          .from(checkpoint)
          .innerJoin(
            sql`unnest(${sql.param(passportIds.map(String))}::numeric[]) as wanted(id)`,
            sql`true`,
          )
          .leftJoin(passport, eq(passport.id, sql`wanted.id`))
          .leftJoin(soul, and(eq(soul.passportId, sql`wanted.id`), isLiving))
          .leftJoin(allowance, ofEpoch),
      );
      return { at: decodeCheckpoint(firstOf(rows).point).block, passports: rows.map(comparedRow) };
    },

    async highestPassport() {
      const rows = await readable(() => db.select({ id: max(passport.id) }).from(passport));
      return rows[0]?.id ?? 0n;
    },

    async counters() {
      const rows = await readable(() =>
        db
          .select({ point, souls: db.$count(soul), organizations: db.$count(organization) })
          .from(checkpoint),
      );
      const { point: text, souls, organizations } = firstOf(rows);
      return {
        at: decodeCheckpoint(text).block,
        souls: BigInt(souls),
        organizations: BigInt(organizations),
      };
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
