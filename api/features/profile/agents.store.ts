import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  lt,
  lte,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { type Address, zeroAddress } from "viem";
import { AGENT_TYPES } from "../../../protocol/agent-type.ts";
import { parsePassportName } from "../../../protocol/names.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  isHeldBySealer,
  isValidSoul,
  readable,
} from "../../soul/index-views.store.ts";
import { membershipRecord, passportRecord, soulRecord } from "../../soul/indexed-agent.store.ts";
import { registration } from "../../soul/tables.ts";
import type { ValidityStatus } from "../../soul/validity.ts";
import type { RegisteredPassports } from "../domains/index.ts";
import type { AgentFilter, AgentListReads, AgentOrder } from "./agents.ts";
import { publicIdentity } from "./tables.ts";

const { soul, passport, membership } = chainViews;
const { checkpoint, point } = indexedUpTo;

const member = alias(soul, "member");
const holding = alias(passport, "holding");

/** Every order is that of a unique, indexed column. */
const ORDERS: Readonly<
  Record<AgentOrder, { readonly by: SQL; readonly after: (cursor: string) => SQL }>
> = {
  registered: { by: asc(soul.tokenId), after: (cursor) => gt(soul.tokenId, BigInt(cursor)) },
  newest: { by: desc(soul.tokenId), after: (cursor) => lt(soul.tokenId, BigInt(cursor)) },
  name: { by: asc(soul.name), after: (cursor) => gt(soul.name, cursor) },
};

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
    async agents(filter, { order, after }, limit) {
      const ordered = ORDERS[order];
      // The page first: joined to anything, its order would have to be made again.
      const page = db
        .select({ tokenId: soul.tokenId })
        .from(soul)
        .where(and(after === null ? undefined : ordered.after(after), ...conditions(filter)))
        .orderBy(ordered.by)
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
          .orderBy(ordered.by),
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
function conditions(filter: AgentFilter): (SQL | undefined)[] {
  const { owner, operator, tokenId, erc8004AgentId, organizationId, q } = filter;
  const { type, validity, category } = filter;
  return [
    tokenId === undefined ? undefined : eq(soul.tokenId, tokenId),
    owner === undefined
      ? undefined
      : sql`${soul.passportId} in (
          select ${passport.id} from ${passport} where ${passport.owner} = ${spelled(owner)})`,
    operator === undefined ? undefined : actsAs(operator),
    erc8004AgentId === undefined ? undefined : eq(soul.passportId, erc8004AgentId),
    organizationId === undefined ? undefined : isIn(organizationId),
    q === undefined ? undefined : matches(q),
    type === undefined ? undefined : eq(soul.agentType, AGENT_TYPES.indexOf(type)),
    validity === undefined ? undefined : hasValidity(validity),
    category === undefined ? undefined : saysCategory(category),
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
    join ${soul} as ${member} on ${member.tokenId} = joined.token_id
    join ${passport} as ${holding} on ${holding.id} = ${member.passportId}
    where joined.organization_id = ${organizationId.toString()} and joined.epoch = ${member.epoch}
      and ${isValidSoul(member, holding)})`;
}

/** Longer than any name, and of the letter that no other character of a name comes after. */
const LAST_SUFFIX = "z".repeat(40);

/** Every reading of what was typed, each through an index of its own. Nothing in it is a wildcard. */
function matches(q: string): SQL {
  const text = q
    .trim()
    .toLowerCase()
    .replace(/^did:svc:(?:[0-9]+:)?/, "");
  const readings: SQL[] = [];
  if (/^0x[0-9a-f]{40}$/.test(text)) {
    readings.push(
      sql`select own.token_id from ${soul} as own where own.operator = ${text}`,
      sql`select held.token_id from ${soul} as held
        join ${passport} as holding on holding.id = held.passport_id where holding.owner = ${text}`,
    );
  }
  if (/^[0-9]{1,18}$/.test(text)) {
    readings.push(
      sql`select numbered.token_id from ${soul} as numbered where numbered.token_id = ${text}`,
      sql`select bound.token_id from ${soul} as bound where bound.passport_id = ${text}`,
    );
  }
  const passportId = parsePassportName(text);
  if (passportId !== null) {
    readings.push(
      sql`select bound.token_id from ${soul} as bound where bound.passport_id = ${passportId.toString()}`,
    );
  }
  if (/^[a-z0-9-]{1,32}$/.test(text)) {
    // The range uses the index in any collation; starts_with makes it exact.
    readings.push(sql`select named.token_id from ${soul} as named
      where named.name >= ${text} and named.name <= ${text + LAST_SUFFIX}
        and starts_with(named.name, ${text})`);
  }
  if (readings.length === 0) return sql`false`;
  return sql`${soul.tokenId} in (${sql.join(readings, sql` union all `)})`;
}

/** As `validityOf` reads it. */
function hasValidity(validity: ValidityStatus): SQL {
  const isLinked = (condition: SQL) => sql`(${soul.status} = 'SEALED' and exists (
    select 1 from ${passport} as ${holding}
    where ${holding.id} = ${soul.passportId} and ${holding.owner} is not null and ${condition}))`;
  if (validity === "valid") return isLinked(isHeldBySealer(soul, holding));
  if (validity === "suspended") return isLinked(sql`not ${isHeldBySealer(soul, holding)}`);
  return sql`not ${isLinked(sql`true`)}`;
}

/** The category of the public identity: what was last said in this epoch, or else by the sealer's registration. */
function saysCategory(category: string): SQL {
  return sql`coalesce(
    (select changed.identity ->> 'category' from ${publicIdentity} as changed
      where changed.token_id = ${soul.tokenId} and changed.epoch = ${soul.epoch}),
    (select said.payload #>> '{request,publicIdentity,category}' from ${registration} as said
      where said.name = ${soul.name} and said.state = 'complete'
        and lower(said.owner) = ${soul.sealer}
      order by said.created_at desc limit 1)) = ${category}`;
}

function spelled(address: Address): string {
  return address.toLowerCase();
}
