import { and, desc, eq, gt, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { alias, unionAll } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { Hex } from "viem";
import { trustLevelOf } from "../../api/features/bindings/index.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  isValidSoul,
  readable,
} from "../../api/soul/index-views.store.ts";
import { type AllowanceAmount, eachAmount } from "../../protocol/allowance.ts";
import {
  type DealingReads,
  type IndexedAllowance,
  SHOWN_PARTNERS,
  SPENDING_DAYS,
} from "./dealings.ts";

const { soul, passport, allowance, spend, binding, membership, organization } = chainViews;
const { checkpoint, point } = indexedUpTo;

const partner = alias(soul, "partner");
const partnerPassport = alias(passport, "partner_passport");

/** The contract's TrustLevel up to which a binding has no effect. */
const REVOKED = 1;
/** Bindings of each direction that are looked at, the newest ones: anyone may bind itself to an agent. */
const LOOKED_AT = 100;

interface DealingsRow {
  /** Amounts and times as text: they may be larger than JSON's integers. */
  readonly allowance:
    | (Omit<IndexedAllowance, AllowanceAmount | "validUntil"> &
        Record<AllowanceAmount, string> & { readonly validUntil: string | null })
    | null;
  readonly spending: readonly { readonly day: number; readonly spent: string }[] | null;
  readonly bindings: {
    readonly partners: readonly PartnerRow[] | null;
    readonly total: number;
    readonly looked: number;
  };
}

interface PartnerRow {
  readonly tokenId: string;
  readonly name: string;
  readonly soulHash: Hex | null;
  readonly outward: number | null;
  readonly inward: number | null;
}

const tokenId = sql.placeholder("tokenId");

function organizationOf(db: NodePgDatabase) {
  return db
    .select({ name: organization.name })
    .from(membership)
    .innerJoin(organization, eq(organization.id, membership.organizationId))
    .where(eq(membership.tokenId, soul.tokenId));
}

/** Of the soul's epoch. */
function permitted(db: NodePgDatabase) {
  const amounts = Object.values(
    eachAmount((name) => sql`${sql.raw(`'${name}'`)}, ${allowance[name]}::text`),
  );
  return db
    .select({
      one: sql`json_build_object('version', ${allowance.version}, 'active', ${allowance.active},
        ${sql.join(amounts, sql`, `)},
        'validUntil', ${allowance.validUntil}::text,
        'onlyWithAgentWallet', ${allowance.onlyWithAgentWallet})`,
    })
    .from(allowance)
    .where(and(eq(allowance.tokenId, soul.tokenId), eq(allowance.epoch, soul.epoch)));
}

// The last payment of a day holds the day's total of its epoch, so that 30 rows are read, however many payments there are.
// Epochs only rise: when the last payment is of an earlier one, so is every other of that day.
const spending = sql`
    select json_agg(json_build_object('day', days.day, 'spent', last.spent_today::text) order by days.day)
    from (select left(${checkpoint.latest}, 10)::bigint / 86400 as today) as clock
    cross join lateral generate_series(clock.today - ${SPENDING_DAYS - 1}, clock.today) as days(day)
    cross join lateral (
      select ${spend.spentToday}, ${spend.epoch} from ${spend}
      where ${spend.tokenId} = ${soul.tokenId}
        and ${spend.timestamp} >= days.day * 86400 and ${spend.timestamp} < (days.day + 1) * 86400
      order by ${spend.timestamp} desc, ${spend.block} desc, ${spend.logIndex} desc
      limit 1
    ) as last
    where last.epoch = ${soul.epoch} and last.spent_today > 0`;

/** The newest bindings of both directions, and of them those that count. */
function partners(db: NodePgDatabase) {
  const near = db.$with("near").as(
    unionAll(
      db
        .select({
          partnerId: sql`${binding.toTokenId}`.as("partner_id"),
          partnerEpoch: sql`${binding.toEpoch}`.as("partner_epoch"),
          ownEpoch: sql`${binding.epoch}`.as("own_epoch"),
          outward: sql<number | null>`${binding.trustLevel}`.as("outward"),
          inward: sql<number | null>`null::integer`.as("inward"),
          since: sql`${binding.createdAt}`.as("since"),
        })
        .from(binding)
        .where(eq(binding.fromTokenId, tokenId))
        .orderBy(desc(binding.createdAt), desc(binding.toTokenId))
        .limit(LOOKED_AT),
      db
        .select({
          partnerId: sql`${binding.fromTokenId}`.as("partner_id"),
          partnerEpoch: sql`${binding.epoch}`.as("partner_epoch"),
          ownEpoch: sql`${binding.toEpoch}`.as("own_epoch"),
          outward: sql<number | null>`null::integer`.as("outward"),
          inward: sql<number | null>`${binding.trustLevel}`.as("inward"),
          since: sql`${binding.createdAt}`.as("since"),
        })
        .from(binding)
        .where(eq(binding.toTokenId, tokenId))
        .orderBy(desc(binding.createdAt), desc(binding.fromTokenId))
        .limit(LOOKED_AT),
    ),
  );
  const counted = db
    .select({
      row: sql`json_build_object('tokenId', ${partner.tokenId}::text, 'name', ${partner.name},
        'soulHash', ${partner.soulHash}, 'outward', max(${near.outward}), 'inward', max(${near.inward}))`.as(
        "row",
      ),
      rank: sql<number>`row_number() over (order by max(${near.outward}) desc nulls last,
        max(${near.inward}) desc nulls last, max(${near.since}) desc, ${partner.tokenId})`.as(
        "rank",
      ),
    })
    .from(near)
    .innerJoin(
      partner,
      and(
        sql`${partner.tokenId} = ${near.partnerId}`,
        sql`${partner.epoch} = ${near.partnerEpoch}`,
      ),
    )
    .innerJoin(partnerPassport, eq(partnerPassport.id, partner.passportId))
    .where(
      and(
        sql`${near.ownEpoch} = ${soul.epoch}`,
        gt(sql`coalesce(${near.outward}, ${near.inward})`, REVOKED),
        isValidSoul(partner, partnerPassport),
      ),
    )
    .groupBy(partner.tokenId, partner.name, partner.soulHash)
    .as("counted");
  const looked = db
    .select({ most: sql`greatest(count(${near.outward}), count(${near.inward}))` })
    .from(near);
  return db
    .with(near)
    .select({
      all: sql`json_build_object('total', count(*),
        'partners', json_agg(${counted.row} order by ${counted.rank}) filter (where ${counted.rank} <= ${SHOWN_PARTNERS}),
        'looked', (${looked}))`,
    })
    .from(counted);
}

/** Organization, allowance, spending and bindings of an agent, in one statement. */
export function createDealingReads(pool: Pool): DealingReads {
  const db = drizzle(pool);
  const statement = db
    .select({
      point,
      found: soul.tokenId,
      organizationName: sql<string | null>`(${organizationOf(db)})`.as("organization_name"),
      allowance: sql<DealingsRow["allowance"]>`(${permitted(db)})`.as("allowance"),
      spending: sql<DealingsRow["spending"]>`(${spending})`.as("spending"),
      bindings: sql<DealingsRow["bindings"]>`(${partners(db)})`.as("bindings"),
    })
    .from(checkpoint)
    .leftJoin(soul, eq(soul.tokenId, tokenId))
    .prepare("chain_agent_dealings");

  return {
    async dealings(id) {
      const rows = await readable(() => statement.execute({ tokenId: id.toString() }));
      const row = firstOf(rows);
      const at = decodeCheckpoint(row.point);
      if (row.found === null) return { at, value: null };
      const shown = (row.bindings.partners ?? []).map(partnerOf);
      return {
        at,
        value: {
          organizationName: row.organizationName,
          allowance: row.allowance && allowanceOf(row.allowance),
          spending: (row.spending ?? []).map(({ day, spent }) => ({ day, spent: BigInt(spent) })),
          bindings: {
            partners: shown,
            more: row.bindings.total - shown.length,
            isPartial: row.bindings.looked >= LOOKED_AT,
          },
        },
      };
    },
  };
}

function allowanceOf(row: NonNullable<DealingsRow["allowance"]>): IndexedAllowance {
  return {
    ...row,
    ...eachAmount((name) => BigInt(row[name])),
    validUntil: row.validUntil === null ? null : BigInt(row.validUntil),
  };
}

function partnerOf(row: PartnerRow) {
  const levelOf = (number: number | null) => (number === null ? null : trustLevelOf(number));
  return {
    tokenId: BigInt(row.tokenId),
    agentName: row.name,
    soulHash: row.soulHash,
    outbound: levelOf(row.outward),
    inbound: levelOf(row.inward),
  };
}
