import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { getAddress } from "viem";
import {
  AGENT_TYPES,
  type AgentTypeIndex,
  type AgentTypeName,
  agentTypeName,
} from "../../../protocol/agent-type.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { pageOf } from "../../kernel/list-pages.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { Reading } from "../../soul/index-reads.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  isHeldBySealer,
  isValidSoul,
  readable,
} from "../../soul/index-views.store.ts";
import { chronicle } from "../chronicles/index.ts";
import {
  type MemberOrder,
  type MemberPage,
  type MemberPosition,
  type MemberRecord,
  type MembershipState,
  noSuchOrganization,
  type OrganizationFilter,
  type OrganizationPage,
  type OrganizationRecord,
  type OrganizationStats,
} from "./organizations.ts";

const { alignment, binding, membership, organization, passport, soul } = chainViews;
const { checkpoint, point } = indexedUpTo;

/** A member whose score fell by so much since its first of the epoch has drifted. */
const DRIFT = 20;
/** The contract's TrustLevel up to which a binding has no effect. */
const REVOKED = 1;

const ORDERS: Readonly<Record<MemberOrder, readonly SQL[]>> = {
  addedAt: [asc(membership.updatedBlock), asc(membership.tokenId)],
  agentName: [asc(soul.name), asc(membership.tokenId)],
  soulAlignment: [sql`${soul.alignmentScore} desc nulls last`, asc(membership.tokenId)],
};

/** Whether a recorded membership has effect, as the registry's `isMember` answers it. */
const isActive = and(
  eq(membership.epoch, soul.epoch),
  sql`${soul.status} <> 'BURNED'`,
  isHeldBySealer(soul, passport),
) as SQL;

const membershipState = sql<MembershipState>`case
  when ${membership.epoch} <> ${soul.epoch} or ${soul.status} = 'BURNED' then 'ended'
  when ${isHeldBySealer(soul, passport)} then 'active' else 'suspended' end`.as("member_state");

const preparedStats = (db: NodePgDatabase) =>
  db
    .select({
      point,
      organization: getTableColumns(organization),
      stats: sql<StatsRow>`(${statsQuery()})`.as("stats"),
    })
    .from(checkpoint)
    .leftJoin(organization, eq(organization.id, sql.placeholder("organizationId")))
    .prepare("organization_stats");

/** Organizations in the index. */
export function createOrganizationReads(pool: Pool) {
  const db = drizzle(pool);

  const statsOf = preparedStats(db);

  return {
    /** At most `limit`, by id, from the one after `after` on. */
    async list(filter: OrganizationFilter, after: bigint, limit: number) {
      // Joined and not a condition on ids: PostgreSQL would compare every organization with it.
      const page = db
        .select({ id: organization.id })
        .from(organization)
        .where(and(gt(organization.id, after), ...conditions(filter)))
        .orderBy(asc(organization.id))
        .limit(limit)
        .as("page");
      const rows = await readable(() =>
        db
          .select({ point, organization: getTableColumns(organization) })
          .from(checkpoint)
          .leftJoin(page, sql`true`)
          .leftJoin(organization, eq(organization.id, page.id))
          .orderBy(asc(page.id)),
      );
      return {
        at: decodeCheckpoint(firstOf(rows).point),
        value: rows.flatMap((row) => (row.organization ? [recordOf(row.organization)] : [])),
      };
    },

    /** Null when there is no such organization. */
    async withMembers(organizationId: bigint, { order, limit, offset, after }: MemberPage) {
      const page = db
        .select({ tokenId: membership.tokenId })
        .from(membership)
        .innerJoin(soul, eq(soul.tokenId, membership.tokenId))
        .where(and(eq(membership.organizationId, organizationId), isBehind(after)))
        .orderBy(...ORDERS[order])
        .limit(limit + 1)
        .offset(offset);
      const rows = await readable(() =>
        db
          .select({
            point,
            organization: getTableColumns(organization),
            tokenId: membership.tokenId,
            addedAt: membership.updatedAt,
            block: membership.updatedBlock,
            agentName: soul.name,
            agentType: soul.agentType,
            soulAlignment: soul.alignmentScore,
            status: membershipState,
          })
          .from(checkpoint)
          .leftJoin(organization, eq(organization.id, organizationId))
          .leftJoin(membership, inArray(membership.tokenId, page))
          .leftJoin(soul, eq(soul.tokenId, membership.tokenId))
          .leftJoin(passport, eq(passport.id, soul.passportId))
          .orderBy(...ORDERS[order]),
      );
      const first = firstOf(rows);
      const at = decodeCheckpoint(first.point);
      if (!first.organization) return { at, value: null };
      const found = rows.flatMap((row) => memberOf(row));
      const { entries, next } = pageOf(found, limit, (one) => memberPosition(order, one));
      const members = entries.map(({ member }) => member);
      return { at, value: { ...recordOf(first.organization), members, next } };
    },

    /** Null when there is no such organization. */
    async stats(organizationId: bigint) {
      const row = firstOf(await readable(() => statsOf.execute({ organizationId })));
      const at = decodeCheckpoint(row.point);
      if (!row.organization) return { at, value: null };
      return { at, value: { ...recordOf(row.organization), stats: statsRecord(row.stats) } };
    },
  };
}

/** Organizations as they are read. Who belongs to one decides about others, so an old index answers INDEX_BEHIND. */
export function createOrganizations(
  reads: ReturnType<typeof createOrganizationReads>,
  age: IndexAge,
) {
  function fresh<T>(reading: Reading<T>): Reading<T> {
    if (age.isFresh(reading.at)) return reading;
    throw age.behind(reading.at);
  }

  /** @throws ApiError NOT_FOUND */
  function existing<T>(reading: Reading<T | null>, organizationId: bigint): Reading<T> {
    const { at, value } = fresh(reading);
    if (value === null) throw noSuchOrganization(organizationId);
    return { at, value };
  }

  return {
    /** @param after The id after which the page begins. */
    async list(
      filter: OrganizationFilter,
      after: bigint,
      limit: number,
    ): Promise<Reading<OrganizationPage>> {
      // One more than is shown says whether there is another page.
      const { at, value } = fresh(await reads.list(filter, after, limit + 1));
      const { entries, next } = pageOf(value, limit, (last) => last.organizationId);
      return { at, value: { organizations: entries, next } };
    },

    /** @throws ApiError NOT_FOUND */
    async withMembers(organizationId: bigint, page: MemberPage) {
      return existing(await reads.withMembers(organizationId, page), organizationId);
    },

    /** @throws ApiError NOT_FOUND */
    async stats(organizationId: bigint) {
      return existing(await reads.stats(organizationId), organizationId);
    },
  };
}

function conditions({ admin, tokenId, q }: OrganizationFilter): SQL[] {
  const wanted: SQL[] = [];
  if (admin !== undefined) wanted.push(sql`${organization.admin} = ${admin.toLowerCase()}`);
  if (tokenId !== undefined) {
    wanted.push(sql`${organization.id} in (
      select ${membership.organizationId} from ${membership}
      join ${soul} on ${soul.tokenId} = ${membership.tokenId}
      join ${passport} on ${passport.id} = ${soul.passportId}
      where ${membership.tokenId} = ${tokenId.toString()} and ${isActive})`);
  }
  if (q !== undefined) {
    const isNamed = sql`starts_with(lower(${organization.name}), lower(${q}))`;
    const isNumbered = /^[1-9][0-9]{0,15}$/.test(q) ? sql`${organization.id} = ${q}` : sql`false`;
    wanted.push(sql`(${isNamed} or ${isNumbered})`);
  }
  return wanted;
}

function recordOf(row: typeof organization.$inferSelect): OrganizationRecord {
  return {
    organizationId: row.id,
    name: row.name ?? "",
    admin: getAddress(row.admin),
    pendingAdmin: row.pendingAdmin === null ? null : getAddress(row.pendingAdmin),
    memberCount: Number(row.memberCount),
    createdAt: dateOf(row.createdAt),
  };
}

function memberOf(row: {
  readonly tokenId: bigint | null;
  readonly addedAt: bigint | null;
  readonly block: bigint | null;
  readonly agentName: string | null;
  readonly agentType: number | null;
  readonly soulAlignment: number | null;
  readonly status: MembershipState;
}): FoundMember[] {
  const { tokenId, addedAt, block, agentName, agentType, soulAlignment, status } = row;
  if (tokenId === null || addedAt === null || block === null) return [];
  if (agentName === null || agentType === null) return [];
  const member = {
    tokenId,
    agentName,
    // The contract's enum has these five values and no others.
    agentType: agentTypeName(agentType as AgentTypeIndex),
    soulAlignment,
    addedAt: dateOf(addedAt),
    status,
  };
  return [{ member, block }];
}

interface FoundMember {
  readonly member: MemberRecord;
  /** Of joining. */
  readonly block: bigint;
}

function memberPosition(order: MemberOrder, { member, block }: FoundMember): MemberPosition {
  const { tokenId, agentName, soulAlignment: score } = member;
  switch (order) {
    case "addedAt":
      return { order, block, tokenId };
    case "agentName":
      return { order, agentName, tokenId };
    case "soulAlignment":
      return { order, score, tokenId };
  }
}

/** The members that come after a position in its order. */
function isBehind(after: MemberPosition | null | undefined): SQL | undefined {
  switch (after?.order) {
    case undefined:
      return undefined;
    case "addedAt":
      return rowsAfter(after, "asc", ({ block, tokenId }) => [
        [membership.updatedBlock, block],
        [membership.tokenId, tokenId],
      ]);
    case "agentName":
      return rowsAfter(after, "asc", ({ agentName, tokenId }) => [
        [soul.name, agentName],
        [membership.tokenId, tokenId],
      ]);
    case "soulAlignment": {
      // From the highest score down, and members without one at the end.
      const { score, tokenId } = after;
      const isLater = gt(membership.tokenId, tokenId);
      const isUnscored = isNull(soul.alignmentScore);
      if (score === null) return and(isUnscored, isLater);
      const isTied = and(eq(soul.alignmentScore, score), isLater);
      return or(lt(soul.alignmentScore, score), isTied, isUnscored);
    }
  }
}

/** As JSON has it. Times are Unix seconds. */
interface StatsRow extends Omit<OrganizationStats, "agentTypeBreakdown" | "lastActivity"> {
  /** In the order of `AGENT_TYPES`. */
  readonly agentTypeBreakdown: readonly number[];
  readonly lastActivity: number | null;
}

function statsRecord(row: StatsRow): OrganizationStats {
  const { averageAlignment, lastActivity } = row;
  const breakdown = AGENT_TYPES.map(
    (type, index) => [type, row.agentTypeBreakdown[index] ?? 0] as const,
  );
  return {
    ...row,
    averageAlignment: averageAlignment === null ? null : Math.round(averageAlignment),
    agentTypeBreakdown: Object.fromEntries(breakdown) as Record<AgentTypeName, number>,
    lastActivity: lastActivity === null ? null : new Date(Math.floor(lastActivity) * 1000),
  };
}

/**
 * Everything that is counted of an organization, as one JSON value. Chronicles and bindings are joined to all members at once, so
 * that the number of members is not the number of look-ups.
 */
function statsQuery(): SQL {
  const inRange = (from: number, to: number) =>
    sql`count(*) filter (where member.score between ${from} and ${to})`;
  const ofType = sql.join(
    AGENT_TYPES.map((_type, index) => sql`count(*) filter (where member.type = ${index})`),
    sql`, `,
  );
  // Named parameters of a prepared statement would be numbers without a type inside JSON functions.
  return sql`
    with member as materialized (
      select ${soul.tokenId} as token_id, ${soul.epoch} as epoch, ${soul.status} as status,
        ${soul.agentType} as type, ${soul.alignmentScore} as score, ${soul.lastActiveAt} as active_at
      from ${membership}
      join ${soul} on ${soul.tokenId} = ${membership.tokenId}
      join ${passport} on ${passport.id} = ${soul.passportId}
      where ${membership.organizationId} = ${sql.placeholder("organizationId")} and ${isActive}
    ), recorded as (
      select count(*) as records, max(extract(epoch from ${chronicle.recordedAt})) as last_at
      from ${chronicle}
      where ${chronicle.tokenId} in (select member.token_id::bigint from member)
    ), bound as (
      select count(*) as bindings from member
      join ${binding} on ${binding.fromTokenId} = member.token_id and ${binding.epoch} = member.epoch
      join ${soul} on ${soul.tokenId} = ${binding.toTokenId} and ${soul.epoch} = ${binding.toEpoch}
      join ${passport} on ${passport.id} = ${soul.passportId}
      where ${binding.trustLevel} > ${REVOKED} and ${isValidSoul(soul, passport)}
    ), first_score as (
      select distinct on (${alignment.tokenId}) ${alignment.tokenId} as token_id,
        ${alignment.score} as score
      from ${alignment}
      join member on member.token_id = ${alignment.tokenId} and member.epoch = ${alignment.epoch}
      order by ${alignment.tokenId}, ${alignment.scoredBlock}
    )
    select json_build_object(
      'activeMembers', count(*), 'averageAlignment', avg(member.score),
      'alignmentDistribution', json_build_object('90-100', ${inRange(90, 100)},
        '70-89', ${inRange(70, 89)}, '50-69', ${inRange(50, 69)}, 'below50', ${inRange(0, 49)}),
      'agentTypeBreakdown', json_build_array(${ofType}),
      'totalChronicles', (select records from recorded),
      'totalBindings', (select bindings from bound),
      'sealedCount', count(*) filter (where member.status = 'SEALED'),
      'provisionalCount', count(*) filter (where member.status = 'PROVISIONAL'),
      'driftedCount', count(*) filter (where first_score.score - member.score >= ${DRIFT}),
      'lastActivity', greatest(max(member.active_at), (select last_at from recorded)))
    from member left join first_score on first_score.token_id = member.token_id`;
}
