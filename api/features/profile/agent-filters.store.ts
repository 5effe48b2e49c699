import { eq, isNotNull, not, type SQL, sql } from "drizzle-orm";
import { type Address, zeroAddress } from "viem";
import { AGENT_TYPES, type AgentTypeName } from "../../../protocol/agent-type.ts";
import { parsePassportName } from "../../../protocol/names.ts";
import { chainViews, differs, ownerOf, passportsOwnedBy } from "../../soul/index-views.store.ts";
import {
  identityCategory,
  identityWords,
  registeredCategory,
  registeredWords,
  wordQuery,
} from "../../soul/public-words.store.ts";
import { registration } from "../../soul/tables.ts";
import type { ValidityStatus } from "../../soul/validity.ts";
import { endpointWatch } from "../endpoint-checks/index.ts";
import { publicIdentity } from "./tables.ts";

const { soul, passport, membership } = chainViews;

/** What the agents of a list have in common; each is left out when undefined. */
export interface AgentFilter {
  /** Who owns the passport now. */
  readonly owner?: Address | undefined;
  /** Who acts for the agent: its own account, or the owner of an agent without one. */
  readonly operator?: Address | undefined;
  /** The certificate. */
  readonly tokenId?: bigint | undefined;
  /** The passport: its past souls are found too. */
  readonly erc8004AgentId?: bigint | undefined;
  /** The organization it is a member of, while its seal is valid. */
  readonly organizationId?: bigint | undefined;
  /**
   * What a person typed: the beginning of a name, a DID, an account (owner or operator), or digits, which are read as a token id
   * and as a passport's id.
   */
  readonly q?: string | undefined;
  /** Whether `q` finds words of public identities as well. */
  readonly isInWords?: boolean | undefined;
  readonly type?: AgentTypeName | undefined;
  readonly validity?: ValidityStatus | undefined;
  /** What the agent says it is for: its public identity's category. */
  readonly category?: string | undefined;
  /** Whether its owner is attested to be a person, while its seal is valid. */
  readonly isHumanVerified?: true | undefined;
  /** Whether one of its endpoints answered when the service checked them last. */
  readonly isAnswering?: true | undefined;
}

/** A condition on more than a soul's own row: it can be found by an index, and be checked for one soul. */
export interface FoundSouls {
  /** At most `limit` token ids that may fulfil it, and all of them when there are fewer. */
  ids(limit: number): SQL;
  /** Whether the soul of a row fulfils it. */
  readonly holds: SQL;
}

const isNotDiffering = not(differs(soul.passportId));

/** Conditions on the columns of a soul, whose frequency PostgreSQL knows. */
export function ownConditions(filter: AgentFilter): (SQL | undefined)[] {
  const { tokenId, erc8004AgentId, type, validity, isHumanVerified } = filter;
  return [
    tokenId === undefined ? undefined : eq(soul.tokenId, tokenId),
    erc8004AgentId === undefined ? undefined : eq(soul.passportId, erc8004AgentId),
    type === undefined ? undefined : eq(soul.agentType, AGENT_TYPES.indexOf(type)),
    validity === undefined ? undefined : eq(soul.validity, validity),
    validity === "valid" ? isNotDiffering : undefined,
    // An attestation counts while the seal is valid.
    isHumanVerified === true ? isNotNull(soul.humanVerifier) : undefined,
    isHumanVerified === true ? eq(soul.validity, "valid") : undefined,
    isHumanVerified === true ? isNotDiffering : undefined,
  ];
}

/** Every other condition of a filter. */
export function foundSouls(filter: AgentFilter): FoundSouls[] {
  const { owner, operator, organizationId, q, isInWords = false, category } = filter;
  const { isAnswering } = filter;
  return [
    owner === undefined ? null : ownedBy(owner.toLowerCase()),
    operator === undefined ? null : actsAs(operator.toLowerCase()),
    organizationId === undefined ? null : isIn(organizationId),
    q === undefined ? null : matches(q, isInWords),
    category === undefined ? null : saysCategory(category),
    isAnswering === true ? answers : null,
  ].filter((found) => found !== null);
}

/** The souls of passports, burned ones too. `offset 0` keeps PostgreSQL from joining all souls. */
const soulsOfPassport = sql`cross join lateral (select carried.token_id, carried.operator
  from ${soul} as carried where carried.passport_id = held.id offset 0) as its_soul`;

const passportOwner = sql`(select ${ownerOf(passport)} from ${passport} where ${passport.id} = ${soul.passportId})`;

function ownedBy(owner: string): FoundSouls {
  return {
    ids: (limit) => sql`select its_soul.token_id from ${passportsOwnedBy(owner, { limit })} as held
      ${soulsOfPassport} limit ${limit}`,
    holds: sql`${passportOwner} = ${owner}`,
  };
}

/** The agent's own account; of an agent without one, the passport's owner. */
function actsAs(operator: string): FoundSouls {
  return {
    ids: (limit) => sql`select token_id from (
        (select own.token_id from ${soul} as own where own.operator = ${operator}
          order by own.token_id limit ${limit})
        union all
        (select its_soul.token_id from ${passportsOwnedBy(operator)} as held ${soulsOfPassport}
          where its_soul.operator = ${zeroAddress} limit ${limit})
      ) as acting limit ${limit}`,
    holds: sql`(${soul.operator} = ${operator}
      or (${soul.operator} = ${zeroAddress} and ${passportOwner} = ${operator}))`,
  };
}

/** A membership counts in the epoch it was made in, and while the seal is valid. */
function isIn(organizationId: bigint): FoundSouls {
  const id = organizationId.toString();
  return {
    ids: (limit) => sql`select joined.token_id from ${membership} as joined
      where joined.organization_id = ${id}
      order by joined.updated_block, joined.token_id limit ${limit}`,
    holds: sql`(${soul.validity} = 'valid' and ${isNotDiffering} and (select joined.organization_id from ${membership} as joined
      where joined.token_id = ${soul.tokenId} and joined.epoch = ${soul.epoch}) = ${id})`,
  };
}

/** Twice the six hours between two checks: an older result says nothing about now. */
const isRecent = sql`watched.started_at > now() - interval '12 hours'`;

const answers: FoundSouls = {
  ids: (limit) => sql`select watched.token_id from ${endpointWatch} as watched
    where watched.answering and ${isRecent} order by watched.token_id limit ${limit}`,
  // A value and no "exists", for which PostgreSQL may first collect all that answer.
  holds: sql`coalesce((select watched.answering and ${isRecent} from ${endpointWatch} as watched
    where watched.token_id = ${soul.tokenId}::bigint), false)`,
};

/** The soul of a name; `offset 0` as above. */
const soulOfName = sql`cross join lateral (select called.token_id from ${soul} as called
  where called.name = said.name offset 0) as named`;

/**
 * A condition on what an agent says of itself: what was last said in this epoch, or else in the
 * registration by its sealer.
 */
function says(
  changed: (identity: SQL) => SQL,
  registered: (payload: SQL) => SQL,
  /** The orders of the indexes, where they have any. */
  orders: { readonly changed: SQL; readonly registered: SQL } = {
    changed: sql``,
    registered: sql``,
  },
): FoundSouls {
  return {
    ids: (limit) => sql`select token_id from (
        (select changed.token_id from ${publicIdentity} as changed
          where ${changed(sql`changed.identity`)} ${orders.changed} limit ${limit})
        union all
        (select named.token_id from ${registration} as said ${soulOfName}
          where said.state = 'complete' and ${registered(sql`said.payload`)}
          ${orders.registered} limit ${limit})
      ) as saying limit ${limit}`,
    holds: sql`coalesce(
      (select (${changed(sql`changed.identity`)}) is true from ${publicIdentity} as changed
        where changed.token_id = ${soul.tokenId}::bigint and changed.epoch = ${soul.epoch}),
      (select ${registered(sql`said.payload`)} from ${registration} as said
        where said.name = ${soul.name} and said.state = 'complete'
          and lower(said.owner) = ${soul.sealer}
        order by said.created_at desc limit 1), false)`,
  };
}

const saysCategory = (category: string): FoundSouls =>
  says(
    (identity) => sql`${identityCategory(identity)} = ${category}`,
    (payload) => sql`${registeredCategory(payload)} = ${category}`,
    { changed: sql`order by changed.token_id`, registered: sql`order by said.name` },
  );

/** In a subquery, whose value PostgreSQL does not know in advance: it takes any word for a rare one. */
function saysWords(words: string): FoundSouls {
  const query = sql`(select to_tsquery('simple', ${words}))`;
  return says(
    (identity) => sql`${identityWords(identity)} @@ ${query}`,
    (payload) => sql`${registeredWords(payload)} @@ ${query}`,
  );
}

/** Longer than any name, and of the letter that no other character of a name comes after. */
const LAST_SUFFIX = "z".repeat(40);

/** Every reading of what was typed, each through an index of its own. Nothing in it is a wildcard. */
function matches(q: string, isInWords: boolean): FoundSouls {
  const text = q
    .trim()
    .toLowerCase()
    .replace(/^did:svc:(?:[0-9]+:)?/, "");
  const readings: FoundSouls[] = [];
  const reads = (holds: SQL) =>
    readings.push({
      ids: (limit) => sql`select ${soul.tokenId} from ${soul} where ${holds}
        order by ${soul.name} limit ${limit}`,
      holds,
    });
  if (/^0x[0-9a-f]{40}$/.test(text)) {
    reads(sql`${soul.operator} = ${text}`);
    readings.push(ownedBy(text));
  }
  if (/^[0-9]{1,18}$/.test(text)) {
    reads(sql`${soul.tokenId} = ${text}`);
    reads(sql`${soul.passportId} = ${text}`);
  }
  const passportId = parsePassportName(text);
  if (passportId !== null) reads(sql`${soul.passportId} = ${passportId.toString()}`);
  if (/^[a-z0-9-]{1,32}$/.test(text)) {
    // The range uses the index in any collation; starts_with makes it exact. Within "case" it has
    // no part in the estimate: with both, PostgreSQL expects few names and sorts all that it finds.
    reads(sql`(${soul.name} >= ${text} and ${soul.name} <= ${text + LAST_SUFFIX}
      and case when starts_with(${soul.name}, ${text}) then true else false end)`);
  }
  const words = isInWords ? wordQuery(text) : null;
  if (words !== null) readings.push(saysWords(words));
  if (readings.length === 0)
    return { ids: () => sql`select null::numeric limit 0`, holds: sql`false` };
  return {
    ids: (limit) =>
      sql`select token_id from (${sql.join(
        readings.map(({ ids }) => sql`(${ids(limit)})`),
        sql` union all `,
      )}) as read limit ${limit}`,
    holds: sql`(${sql.join(
      readings.map(({ holds }) => holds),
      sql` or `,
    )})`,
  };
}
