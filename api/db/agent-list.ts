import { and, asc, eq, getTableColumns, gt, inArray, lte, ne, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { type Address, zeroAddress } from "viem";
import type { AgentFilter, AgentListReads } from "../services/agent-list.ts";
import type { RegisteredPassports } from "../services/domain-verification.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  membershipRecord,
  passportRecord,
  readable,
  soulRecord,
} from "./chain.ts";

const { soul, passport, membership } = chainViews;
const { checkpoint, point } = indexedUpTo;

/** What lists and finds agents in the index. */
export function createAgentList(pool: Pool): AgentListReads & RegisteredPassports {
  const db = drizzle(pool);

  const passportIds = db
    .select({
      // One text instead of a row for each: a hundred thousand ids are less than a megabyte.
      ids: sql<
        string | null
      >`string_agg(${soul.passportId}::text, ',' order by ${soul.passportId})`,
    })
    .from(soul)
    .where(and(ne(soul.status, "BURNED"), lte(soul.passportId, BigInt(Number.MAX_SAFE_INTEGER))))
    .prepare("agent_list_passports");

  return {
    async agents(filter, after, limit) {
      // The page first: joined to anything, its order would have to be made again.
      const page = db
        .select({ tokenId: soul.tokenId })
        .from(soul)
        .where(and(gt(soul.tokenId, after), ...conditions(filter)))
        .orderBy(asc(soul.tokenId))
        .limit(limit);
      const rows = await readable(() =>
        db
          .select({
            point,
            soul: getTableColumns(soul),
            passport: getTableColumns(passport),
            membership: { organizationId: membership.organizationId, epoch: membership.epoch },
          })
          .from(checkpoint)
          .leftJoin(soul, inArray(soul.tokenId, page))
          .leftJoin(passport, eq(passport.id, soul.passportId))
          .leftJoin(membership, eq(membership.tokenId, soul.tokenId))
          .orderBy(asc(soul.tokenId)),
      );
      const value = rows.flatMap((row) =>
        row.soul
          ? [
              {
                soul: soulRecord(row.soul),
                passport: row.passport && passportRecord(row.passport),
                membership: membershipRecord(row.membership),
              },
            ]
          : [],
      );
      return { at: decodeCheckpoint(firstOf(rows).point), value };
    },

    async registeredPassports() {
      const [row] = await readable(() => passportIds.execute());
      return row?.ids ? row.ids.split(",") : [];
    },
  };
}

/** Every condition names souls by what has an index: the page itself is then found by token id. */
function conditions(filter: AgentFilter): SQL[] {
  const { owner, operator, erc8004AgentId, organizationId } = filter;
  return [
    ...(owner === undefined
      ? []
      : [
          sql`${soul.passportId} in (
            select ${passport.id} from ${passport} where ${passport.owner} = ${spelled(owner)})`,
        ]),
    ...(operator === undefined ? [] : [actsAs(operator)]),
    ...(erc8004AgentId === undefined ? [] : [eq(soul.passportId, erc8004AgentId)]),
    ...(organizationId === undefined ? [] : [isIn(organizationId)]),
  ];
}

/** The agent's own account; of an agent without one, the passport's owner. */
function actsAs(operator: Address): SQL {
  return sql`${soul.tokenId} in (
    select own.token_id from ${soul} as own where own.operator = ${spelled(operator)}
    union all
    select held.token_id from ${soul} as held
    join ${passport} as holding on holding.id = held.passport_id
    where holding.owner = ${spelled(operator)} and held.operator = ${zeroAddress})`;
}

/** A membership counts in the epoch it was made in, and while the seal is valid. */
function isIn(organizationId: bigint): SQL {
  return sql`${soul.tokenId} in (
    select joined.token_id from ${membership} as joined
    join ${soul} as member on member.token_id = joined.token_id
    join ${passport} as holding on holding.id = member.passport_id
    where joined.organization_id = ${organizationId.toString()} and joined.epoch = member.epoch
      and member.status = 'SEALED' and holding.owner = member.sealer)`;
}

function spelled(address: Address): string {
  return address.toLowerCase();
}
