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
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { Address, Hex } from "viem";
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
import type { ComparedAllowance } from "./passports.chain.ts";
import type { WatchCursor } from "./suspensions.store.ts";

const { soul, passport, passportOwner, passportMetadata, organization, allowance } = chainViews;

/** A passport, with the living soul that it carries, as the index has them. */
export interface ComparedPassport {
  readonly passportId: bigint;
  /** Null when the index has never seen the passport's owner. */
  readonly owner: Address | null;
  readonly ownerSinceBlock: bigint | null;
  readonly soul: {
    readonly tokenId: bigint;
    readonly epoch: number;
    /** Decisions that its owners have signed. */
    readonly version: number;
    readonly passportVersion: number;
    readonly suspended: boolean;
    readonly mintBlock: bigint;
    /** Of the epoch; null when nothing happened in it. */
    readonly allowance: Omit<ComparedAllowance, "epoch"> | null;
  } | null;
}

/** Rows of one statement, and the block up to which the index was then. */
export interface ComparedPage {
  readonly at: bigint;
  readonly passports: readonly ComparedPassport[];
}

/** Where a sweep is: it goes through the souls, and then through the passports without one. */
export interface SweepPage extends ComparedPage {
  /** Where the next page of the same kind begins; null after the last. */
  readonly next: bigint | null;
}

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
const heldAs = { owner: passport.owner, ownerSinceBlock: passport.ownerSinceBlock };

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

export type WatchedIndex = ReturnType<typeof createSuspensionCandidates>;
export type ComparedIndex = Omit<WatchedIndex, "passportTraces" | "statusesLeft">;

/** Finds, in the index, passports that may have left their sealer, and what ended souls left. */
export function createSuspensionCandidates(pool: Pool) {
  const db = drizzle(pool);
  return {
    ...comparedReads(db),

    /**
     * The first `limit` reasons to look at a passport with a soul that is not burned, from `from` on, up to and with block `upTo`, in
     * order of block and passport: it was transferred in this block, or its `agentWallet` was cleared.
     */
    async passportTraces(from: WatchCursor, upTo: bigint, limit: number) {
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

    /** The last souls of their passports that ended since then, and whose passports still say what they were; at most `limit`. */
    async statusesLeft(since: Date, limit: number): Promise<readonly bigint[]> {
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

/** Passports with their souls, as the index itself has them. */
function comparedReads(db: NodePgDatabase) {
  return {
    /** The first `limit` souls from token `from` on, in order of token. */
    async comparedSouls(from: bigint, limit: number): Promise<SweepPage> {
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

    /** Those of these passports that the index has. */
    async comparedPassports(passportIds: readonly bigint[]): Promise<ComparedPage> {
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

    /** The highest number that a passport has; 0 for none. */
    async highestPassport(): Promise<bigint> {
      const rows = await readable(() => db.select({ id: max(passport.id) }).from(passport));
      return rows[0]?.id ?? 0n;
    },

    /** How many souls and organizations there have ever been, and the block up to which the index was then. */
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

    /** At most `limit` passports without a living soul, from passport `from` on. Those whose owner the index never saw are left out. */
    comparedSoulless: (from: bigint, limit: number) => comparedSoulless(db, from, limit),
  };
}

async function comparedSoulless(
  db: NodePgDatabase,
  from: bigint,
  limit: number,
): Promise<SweepPage> {
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
    passportId === null ? [] : [comparedRow({ passportId, held, living: null, spending: null })],
  );
  const first = firstOf(rows);
  const end = first.end === null ? undefined : BigInt(first.end);
  const last = passports.length < limit ? end : passports.at(-1)?.passportId;
  return {
    at: pointOf(first.point).block,
    passports,
    next: last === undefined ? null : last + 1n,
  };
}
