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
import { drizzle } from "drizzle-orm/node-postgres";
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
import type {
  MemberOrder,
  MemberPosition,
  MemberRecord,
  MembershipState,
  OrganizationFilter,
  OrganizationReads,
  OrganizationRecord,
  OrganizationStats,
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

/** Organizations in the index. */
export function createOrganizationReads(pool: Pool): OrganizationReads {
  const db = drizzle(pool);

  const statsOf = db
    .select({
      point,
      organization: getTableColumns(organization),
      stats: sql<StatsRow>`(${statsQuery()})`.as("stats"),
    })
    .from(checkpoint)
    .leftJoin(organization, eq(organization.id, sql.placeholder("organizationId")))
    .prepare("organization_stats");

  return {
    async list(filter, after, limit) {
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

    async withMembers(organizationId, { order, limit, offset, after }) {
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

    async stats(organizationId) {
      const row = firstOf(await readable(() => statsOf.execute({ organizationId })));
      const at = decodeCheckpoint(row.point);
      if (!row.organization) return { at, value: null };
      return { at, value: { ...recordOf(row.organization), stats: statsRecord(row.stats) } };
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
interface StatsRow {
  readonly members: number;
  readonly average: number | null;
  readonly ranges: OrganizationStats["alignmentDistribution"];
  readonly types: readonly number[];
  readonly sealed: number;
  readonly provisional: number;
  readonly drifted: number;
  readonly chronicles: number;
  readonly bindings: number;
  readonly lastActivity: number | null;
}

function statsRecord(row: StatsRow): OrganizationStats {
  const { average, lastActivity } = row;
  const breakdown = AGENT_TYPES.map((type, index) => [type, row.types[index] ?? 0] as const);
  return {
    activeMembers: row.members,
    averageAlignment: average === null ? null : Math.round(average),
    alignmentDistribution: row.ranges,
    agentTypeBreakdown: Object.fromEntries(breakdown) as Record<AgentTypeName, number>,
    totalChronicles: row.chronicles,
    totalBindings: row.bindings,
    sealedCount: row.sealed,
    provisionalCount: row.provisional,
    driftedCount: row.drifted,
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
      'members', count(*), 'average', avg(member.score),
      'ranges', json_build_object('90-100', ${inRange(90, 100)}, '70-89', ${inRange(70, 89)},
        '50-69', ${inRange(50, 69)}, 'below50', ${inRange(0, 49)}),
      'types', json_build_array(${ofType}),
      'sealed', count(*) filter (where member.status = 'SEALED'),
      'provisional', count(*) filter (where member.status = 'PROVISIONAL'),
      'drifted', count(*) filter (where first_score.score - member.score >= ${DRIFT}),
      'chronicles', (select records from recorded), 'bindings', (select bindings from bound),
      'lastActivity', greatest(max(member.active_at), (select last_at from recorded)))
    from member left join first_score on first_score.token_id = member.token_id`;
}
