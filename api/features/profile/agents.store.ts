import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  isNotNull,
  lt,
  lte,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { alias, exceptAll } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { nameSkeleton } from "../../../protocol/name-skeleton.ts";
import {
  chainViews,
  decodeCheckpoint,
  differs,
  firstOf,
  indexedUpTo,
  passportColumns,
  readable,
} from "../../soul/index-views.store.ts";
import {
  type IndexedOriginal,
  membershipRecord,
  originalRecord,
  originalSoul,
  passportRecord,
  type SaidOfAgent,
  saidOfAgent,
  soulRecord,
} from "../../soul/indexed-agent.store.ts";
import {
  type AgentFilter,
  type FoundSouls,
  foundSouls,
  ownConditions,
} from "./agent-filters.store.ts";
import { publicIdentity } from "./tables.ts";

/** `registered`: oldest first. `newest`: youngest first. `name`: in the order of names. */
export const AGENT_ORDERS = ["registered", "newest", "name"] as const;

/**
 * Also by what changes: `active`, last active on chain first, and `alignment`, highest score first.
 * An agent that changes its place while pages are read may be left out.
 */
export const ALL_AGENT_ORDERS = [...AGENT_ORDERS, "active", "alignment"] as const;
export type AgentOrder = (typeof ALL_AGENT_ORDERS)[number];

/** Where a page begins. */
export interface AgentCursor {
  readonly order: AgentOrder;
  /**
   * Of the last agent of the page before: its name in the order of names, its time or score and its
   * token id with a point between in the orders of these (`.7` without a score), else its token id.
   * Null for the first page.
   */
  readonly after: string | null;
}

// PostgreSQL knows how frequent a type or a validity is, but not how many souls a word or an
// organization has. So a first statement reads a bounded number of token ids for each such
// condition. When one of them names few souls, the page is made of those. When all are frequent,
// the souls are read in the order of the list until the page is full. Neither reads a whole table.

const { soul, passport, membership } = chainViews;
const { checkpoint, point } = indexedUpTo;

/** Conditions that more souls than this may fulfil count as frequent. */
const FEW = 1_000;

/** Every order is that of indexed columns, of which the last is unique. */
const ORDERS: Readonly<Record<AgentOrder, readonly SQL[]>> = {
  registered: [asc(soul.tokenId)],
  newest: [desc(soul.tokenId)],
  name: [asc(soul.name)],
  active: [desc(soul.lastActiveAt), desc(soul.tokenId)],
  alignment: [sql`${soul.alignmentScore} desc nulls last`, desc(soul.tokenId)],
};

/** The soul whose name looks like this one's and is older. */
const resembled = alias(soul, "resembled");
const resembledSoul = sql`(select json_build_object('tokenId', ${resembled.tokenId}::text,
    'agentName', ${resembled.name})
  from ${soul} as ${resembled} where ${resembled.nameSkeleton} = ${soul.nameSkeleton}
    and ${resembled.tokenId} < ${soul.tokenId} order by ${resembled.tokenId} limit 1)`;

const preparedResemblance = (db: NodePgDatabase) =>
  db
    .select({ tokenId: soul.tokenId, agentName: soul.name })
    .from(soul)
    .where(
      and(
        eq(soul.nameSkeleton, sql.placeholder("skeleton")),
        ne(soul.name, sql.placeholder("name")),
        lt(soul.tokenId, sql.placeholder("before")),
      ),
    )
    .orderBy(asc(soul.tokenId))
    .limit(1)
    .prepare("agent_list_resembled");

function preparedPassports(db: NodePgDatabase) {
  const isNumber = lte(soul.passportId, BigInt(Number.MAX_SAFE_INTEGER));
  const passportsOf = (which: SQL | undefined) =>
    db.select({ passportId: soul.passportId }).from(soul).where(which);
  // Two indexes hold them all. A passport of a burned soul may have a later soul.
  const unburned = exceptAll(
    passportsOf(isNumber),
    passportsOf(and(isNumber, isNotNull(soul.burnBlock))),
  ).as("unburned");
  return db
    .select({
      // One text instead of a row for each: a hundred thousand ids are less than a megabyte.
      ids: sql<
        string | null
      >`string_agg(${unburned.passportId}::text, ',' order by ${unburned.passportId})`,
    })
    .from(unburned)
    .prepare("agent_list_passports");
}

export type AgentReads = ReturnType<typeof createAgentList>;
/** Names that are easily mistaken for each other. */
export type Resemblances = Pick<AgentReads, "resembled">;
/** An older soul whose name looks like the one of another. */
export type ResembledSoul = NonNullable<Awaited<ReturnType<AgentReads["resembled"]>>>;

/** What lists and finds agents in the index. */
export function createAgentList(pool: Pool) {
  const db = drizzle(pool);

  const byResemblance = preparedResemblance(db);
  const passportIds = preparedPassports(db);

  return {
    /** At most `limit` agents behind the cursor, in its order. At most two queries. */
    async agents(filter: AgentFilter, cursor: AgentCursor, limit: number) {
      const found = foundSouls(filter);
      const few = await fewest(db, found);
      const page = pageOf(cursor, limit, [...ownConditions(filter), ...found.map(checked)], few);
      const rows = await readable(() =>
        db
          .select({
            point,
            soul: getTableColumns(soul),
            passport: passportColumns,
            differs: differs(soul.passportId).as("differs"),
            membership: { organizationId: membership.organizationId, epoch: membership.epoch },
            duplicateOf: sql<IndexedOriginal | null>`(${originalSoul})`.as("duplicate_of"),
            resembles: sql<ResembledRow | null>`${resembledSoul}`.as("resembles"),
            said: sql<SaidOfAgent | null>`(${saidOfAgent})`.as("said_of_agent"),
            identity: publicIdentity.identity,
          })
          .from(checkpoint)
          .leftJoin(soul, sql`${soul.tokenId} in (${page})`)
          .leftJoin(passport, eq(passport.id, soul.passportId))
          .leftJoin(membership, eq(membership.tokenId, soul.tokenId))
          .leftJoin(
            publicIdentity,
            and(
              sql`${publicIdentity.tokenId} = ${soul.tokenId}::bigint`,
              eq(publicIdentity.epoch, soul.epoch),
            ),
          )
          .orderBy(...ORDERS[cursor.order])
          // A page by alignment may be of two parts, each as long as a page.
          .limit(limit),
      );
      return {
        at: decodeCheckpoint(firstOf(rows).point),
        value: rows.flatMap((row) => (row.soul ? [listedRecord(row, row.soul)] : [])),
      };
    },

    /**
     * The oldest soul whose name looks like this one and is older.
     *
     * @param tokenId Of the agent itself; null before it is registered.
     */
    async resembled(name: string, tokenId: bigint | null) {
      const skeleton = nameSkeleton(name);
      // An agent that is not registered yet is younger than all.
      const before = (tokenId ?? 2n ** 256n).toString();
      const [row] = await readable(() => byResemblance.execute({ skeleton, name, before }));
      return row ?? null;
    },

    /** Passports of every soul that is not burned, as decimal digits, in numerical order. One query. */
    async registeredPassports(): Promise<readonly string[]> {
      const [row] = await readable(() => passportIds.execute());
      return row?.ids ? row.ids.split(",") : [];
    },
  };
}

/** The token ids of the condition that names the fewest souls; null when every one is frequent. */
async function fewest(
  db: NodePgDatabase,
  found: readonly FoundSouls[],
): Promise<readonly string[] | null> {
  if (found.length === 0) return null;
  const lists = found.map(({ ids }) => sql`array(${ids(FEW + 1)})::text[] as ids`);
  const { rows } = await readable(() =>
    db.execute<{ ids: string[] }>(
      sql.join(
        lists.map((list) => sql`select ${list}`),
        sql` union all `,
      ),
    ),
  );
  const short = rows.map(({ ids }) => ids).filter(({ length }) => length <= FEW);
  return short.toSorted((one, other) => one.length - other.length)[0] ?? null;
}

/**
 * A condition that PostgreSQL checks soul by soul. It cannot look into `case`, so
 * it takes the condition for a frequent one and reads in the order of the list.
 */
const checked = ({ holds }: FoundSouls): SQL => sql`case when ${holds} then true else false end`;

/** The token ids of a page. */
function pageOf(
  { order, after }: AgentCursor,
  limit: number,
  conditions: readonly (SQL | undefined)[],
  few: readonly string[] | null,
): SQL {
  const of = (...more: readonly (SQL | undefined)[]) => {
    const named =
      few === null ? undefined : sql`${soul.tokenId} = any(${sql.param(few)}::numeric[])`;
    return and(named, ...conditions, ...more) ?? sql`true`;
  };
  const part = (where: SQL, by: readonly SQL[]) =>
    sql`select ${soul.tokenId} from ${soul} where ${where}
      order by ${sql.join([...by], sql`, `)} limit ${limit}`;
  if (order !== "alignment") return part(of(isAfter(order, after)), ORDERS[order]);

  // An index has the souls without a score at one end: they are read apart, after the others.
  const [score = "", tokenId = ""] = after?.split(".") ?? [];
  const byScore = [desc(soul.alignmentScore), desc(soul.tokenId)];
  const isScored = sql`${soul.alignmentScore} is not null`;
  const isUnscored = sql`${soul.alignmentScore} is null`;
  if (after !== null && score === "") {
    return part(of(isUnscored, sql`${soul.tokenId} < ${tokenId}`), byScore);
  }
  const behind =
    after === null
      ? undefined
      : sql`(${soul.alignmentScore}, ${soul.tokenId}) < (${score}, ${tokenId})`;
  return sql`(${part(of(isScored, behind), byScore)}) union all (${part(of(isUnscored), byScore)})`;
}

/** The souls behind a cursor. */
function isAfter(order: Exclude<AgentOrder, "alignment">, after: string | null): SQL | undefined {
  if (after === null) return undefined;
  if (order === "registered") return sql`${soul.tokenId} > ${after}`;
  if (order === "newest") return sql`${soul.tokenId} < ${after}`;
  if (order === "name") return sql`${soul.name} > ${after}`;
  const [time = "", tokenId = ""] = after.split(".");
  return sql`(${soul.lastActiveAt}, ${soul.tokenId}) < (${time}, ${tokenId})`;
}

interface ResembledRow {
  readonly tokenId: string;
  readonly agentName: string;
}

export type ListedAgentRecord = ReturnType<typeof listedRecord>;

interface ListedRow {
  readonly differs: boolean;
  readonly passport: Parameters<typeof passportRecord>[0] | null;
  readonly membership: Parameters<typeof membershipRecord>[0];
  readonly duplicateOf: IndexedOriginal | null;
  readonly resembles: ResembledRow | null;
  readonly said: SaidOfAgent | null;
  readonly identity: (typeof publicIdentity.$inferSelect)["identity"] | null;
}

/** What a list tells of an agent. */
function listedRecord(row: ListedRow, of: Parameters<typeof soulRecord>[0]) {
  const { resembles, identity, said } = row;
  const soul = soulRecord(of);
  return {
    // A soul whose passport is known to differ is not valid in any list.
    soul: row.differs ? { ...soul, suspended: true } : soul,
    passport: row.passport && passportRecord(row.passport),
    membership: membershipRecord(row.membership),
    /** The soul that had its hash or Merkle root first; null for none. */
    duplicateOf: row.duplicateOf && originalRecord(row.duplicateOf),
    /** Null when no older soul has a name that looks like this one's. */
    resembles: resembles && { ...resembles, tokenId: BigInt(resembles.tokenId) },
    /** What its owner says of it in a sentence or a few: untrusted. Null for nothing. */
    words: (identity === null ? (said?.tagline ?? said?.identity?.bio) : identity.bio) ?? null,
  };
}
