import { desc, eq, fillPlaceholders, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { alias, PgDialect } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { type Address, getAddress, type Hex } from "viem";
import type { Reading } from "../../soul/index-reads.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedPointText,
  indexedUpTo,
  readable,
  searchable,
} from "../../soul/index-views.store.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import {
  type AgentLife,
  comparePositions,
  type EventPosition,
  type EventQuery,
  endOfBlock,
  type IndexedEvent,
} from "./events.ts";
import { detailsOf, EVENT_KINDS, type EventKind } from "./kinds.ts";
import { type EventSource, eventSources } from "./sources.store.ts";
import type { EpochSpan } from "./timeline.ts";

const { soul, soulEpoch, soulRevision } = chainViews;
const { checkpoint, point } = indexedUpTo;
const other = alias(soul, "other");

/** Before and after everything. */
const FIRST: EventPosition = { block: -1n, logIndex: -1, part: -1n };
const LAST: EventPosition = { block: 10n ** 17n, logIndex: 2_147_483_647, part: 10n ** 17n };

/** An agent that was sold more often has no bands for its first epochs. */
const MOST_EPOCHS = 1_000;

/**
 * Sizes of pages that are read. With a size of its own, PostgreSQL plans a statement once; with a
 * parameter it would plan it again each time.
 */
const SIZES = [26, 101, 201, 2_000] as const;

interface Row {
  readonly point: string | null;
  /** Null on the only row of an empty page. */
  readonly kind: EventKind | null;
  readonly block: string;
  readonly log_index: number;
  readonly part: string;
  readonly timestamp: string;
  readonly tx: Hex;
  readonly token_id: string | null;
  readonly name: string | null;
  readonly other_token_id: string | null;
  readonly other_name: string | null;
  readonly passport_id: string | null;
  readonly organization_id: string | null;
  readonly epoch: number | null;
  readonly details: Readonly<Record<string, string | null>>;
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly params: unknown[];
}

/**
 * Events of the index. Every kind is read from its own table, in the order of an index and no more
 * of it than the page has; the parts are then merged.
 */
export function createEventReads(pool: Pool, soulRegistry: Address) {
  const db = drizzle(pool);
  const reached = db.select({ point }).from(checkpoint).prepare("events_progress");
  const epochsOf = db
    .select({
      epoch: soulEpoch.epoch,
      owner: soulEpoch.sealer,
      startedAt: soulEpoch.startedAt,
      endedAt: soulEpoch.endedAt,
    })
    .from(soulEpoch)
    .where(eq(soulEpoch.tokenId, sql.placeholder("tokenId")))
    .orderBy(desc(soulEpoch.epoch))
    .limit(MOST_EPOCHS)
    .prepare("events_epochs");
  const statementOf = pageStatements(db, soulRegistry);

  return {
    lifeOf: lifeReads(db),

    /** Events up to the indexed block. One statement. */
    async events(query: EventQuery): Promise<Reading<readonly IndexedEvent[]>> {
      const { name, text, params } = statementOf(query);
      const { agent, order, limit } = query;
      const after = query.after ?? (order === "newest" ? LAST : FIRST);
      const values = fillPlaceholders(params, {
        ...placed("after", after),
        ...placed("afterInLife", agent === null ? after : withinLife(agent, order, after)),
        ...placed("upTo", query.upTo ?? LAST),
        tokenId: `${agent?.tokenId ?? 0n}`,
        passportId: `${agent?.passportId ?? 0n}`,
        firstBlock: `${agent?.firstBlock ?? 0n}`,
        lastBlock: `${agent?.lastBlock ?? LAST.block}`,
      });
      const { rows } = await readable(() => pool.query<Row>({ name, text }, values));
      const at = decodeCheckpoint(firstOf(rows.filter(({ point }) => point !== null)).point ?? "");
      const value = rows
        .slice(0, limit)
        .flatMap((row) => (row.kind === null ? [] : [eventOf(row, row.kind)]));
      return { at, value };
    },

    /** How far the index is, as text that changes with every block. */
    async progress() {
      const { point: text } = firstOf(await readable(() => reached.execute()));
      return { text, at: decodeCheckpoint(text) };
    },

    /** The epochs of a soul, the newest first. */
    async epochs(tokenId: bigint): Promise<readonly EpochSpan[]> {
      const rows = await readable(() => epochsOf.execute({ tokenId: tokenId.toString() }));
      return rows.map((row) => ({ ...row, owner: getAddress(row.owner) }));
    },
  };
}

/** Lives of agents. Null for no agent of this name or token id. */
function lifeReads(db: NodePgDatabase): (ref: SoulRef) => Promise<AgentLife | null> {
  const lifeWhere = (which: SQL) =>
    db
      .select({
        tokenId: soul.tokenId,
        passportId: soul.passportId,
        firstBlock: soul.mintBlock,
        lastBlock: soul.burnBlock,
      })
      .from(soul)
      .where(which)
      .limit(1);
  const byName = lifeWhere(sql`${soul.name} = ${sql.placeholder("name")}`).prepare(
    "events_life_by_name",
  );
  const byTokenId = lifeWhere(sql`${soul.tokenId} = ${sql.placeholder("tokenId")}`).prepare(
    "events_life_by_token_id",
  );
  const byPassport = lifeWhere(
    sql`${soul.passportId} = ${sql.placeholder("passportId")} and ${soul.burnBlock} is null`,
  ).prepare("events_life_by_passport");
  return async (ref) => {
    const [row] = await readable(() => {
      switch (ref.kind) {
        case "name":
          return byName.execute({ name: searchable(ref.name) });
        case "tokenId":
          return byTokenId.execute({ tokenId: ref.tokenId.toString() });
        case "passportId":
          return byPassport.execute({ passportId: ref.passportId.toString() });
      }
    });
    return row ?? null;
  };
}

/** One statement for each combination of agent or all, kind or all, order and size. */
function pageStatements(db: NodePgDatabase, soulRegistry: Address) {
  const dialect = new PgDialect();
  const sources = eventSources(soulRegistry);
  const statements = new Map<string, Statement>();
  return ({ agent, kind, order, limit }: EventQuery): Statement => {
    const size = SIZES.find((one) => one >= limit) ?? limit;
    const name = `events_${agent === null ? "all" : "agent"}_${kind ?? "any"}_${order}_${size}`;
    const known = statements.get(name);
    if (known !== undefined) return known;
    const wanted = sources.filter((source) => kind === null || source.kind === kind);
    const branches = wanted.flatMap((source) =>
      agent === null
        ? [branch(source, order, size, undefined)]
        : source.ofAgent.map((which) => branch(source, order, size, which)),
    );
    const query = dialect.sqlToQuery(merged(branches, order, size, indexedPointText(db)));
    const statement = { name, text: query.sql, params: query.params };
    statements.set(name, statement);
    return statement;
  };
}

function placed(name: string, { block, logIndex, part }: EventPosition) {
  return { [`${name}Block`]: `${block}`, [`${name}Log`]: logIndex, [`${name}Part`]: `${part}` };
}

type Order = EventQuery["order"];

/** Where the reading of what happened to the agent's passport begins. */
function withinLife({ firstBlock, lastBlock }: AgentLife, order: Order, after: EventPosition) {
  const isBefore = (a: EventPosition, b: EventPosition) => comparePositions(a, b) < 0;
  if (order === "oldest") {
    const born = { ...FIRST, block: firstBlock };
    return isBefore(after, born) ? born : after;
  }
  const ended = lastBlock === null ? LAST : endOfBlock(lastBlock);
  return isBefore(ended, after) ? ended : after;
}

/**
 * The first events of one source, in its order. Where the reading begins is one condition alone:
 * of two, PostgreSQL may begin at the one further away and read all entries of the index between.
 */
function branch(source: EventSource, order: Order, size: number, which: SQL | undefined): SQL {
  const { block, logIndex, part, where } = source;
  const columns = part === null ? [block, logIndex] : [block, logIndex, part];
  const list = sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  );
  const position = (parts: readonly SQLWrapper[]) =>
    sql`(${sql.join(parts.slice(0, columns.length), sql`, `)})`;
  const given = (name: string) =>
    position([`${name}Block`, `${name}Log`, `${name}Part`].map((one) => sql.placeholder(one)));
  const inLife = which !== undefined && source.isOfLife;
  const newestFrom = (name: string) =>
    position(["block", "log_index", "part"].map((one) => sql.raw(`(select ${one} from ${name})`)));
  const isNewest = order === "newest";
  const sorted = columns.map((column) => (isNewest ? sql`${column} desc` : sql`${column}`));
  const conditions = isNewest
    ? [
        sql`(${list}) < ${newestFrom(inLife ? "before_in_life" : "before")}`,
        inLife ? sql`${block} >= ${sql.placeholder("firstBlock")}` : undefined,
      ]
    : [
        sql`(${list}) > ${given(inLife ? "afterInLife" : "after")}`,
        sql`(${list}) <= ${given("upTo")}`,
        sql`${block} <= (select block from indexed)`,
        inLife ? sql`${block} <= ${sql.placeholder("lastBlock")}` : undefined,
      ];
  const details = Object.keys(EVENT_KINDS[source.kind].fields).map(
    (name) => sql`${sql.raw(`'${name}'`)}, ${source.details[name]}::text`,
  );
  return sql`(select ${sql.raw(`'${source.kind}'`)}::text as kind, ${block} as block, ${logIndex} as log_index,
      ${part ?? sql`0`}::numeric as part, ${source.timestamp} as "timestamp", ${source.tx} as tx,
      ${source.tokenId}::numeric as token_id, ${source.otherTokenId}::numeric as other_token_id,
      ${source.passportId}::numeric as passport_id, ${source.organizationId}::numeric as organization_id,
      json_build_object(${sql.join(details, sql`, `)}) as details
    from ${source.from} where ${sql.join(
      [where, which, ...conditions].filter((condition) => condition !== undefined),
      sql` and `,
    )}
    order by ${sql.join(sorted, sql`, `)} limit ${sql.raw(`${size}`)})`;
}

/**
 * Before which position the newest events are read. Rows beyond the indexed block are about to be
 * written again after a restart of the index.
 */
function newestBefore(name: string): SQL {
  const [block, logIndex, part] = ["Block", "Log", "Part"].map((one) =>
    sql.placeholder(`${name}${one}`),
  );
  const isBeyond = sql`${block}::numeric > indexed.block`;
  return sql`select least(${block}::numeric, indexed.block + 1) as block,
    case when ${isBeyond} then -1 else ${logIndex}::integer end as log_index,
    case when ${isBeyond} then -1 else ${part}::numeric end as part from indexed`;
}

/** The first events of all branches, with the agents that they are about. */
function merged(
  branches: readonly SQL[],
  order: Order,
  size: number,
  point: SQL.Aliased<string | null>,
): SQL {
  const direction = sql.raw(order === "newest" ? "desc" : "asc");
  const sorted = (of: string) =>
    sql.join(
      ["block", "log_index", "part"].map((name) => sql`${sql.raw(`${of}${name}`)} ${direction}`),
      sql`, `,
    );
  const carried = sql`(select max(${other.tokenId}) from ${soul} as "other"
    where ${other.passportId} = page.passport_id and ${other.mintBlock} <= page.block
      and (${other.burnBlock} is null or ${other.burnBlock} >= page.block))`;
  // A proof of personhood is used just before the seal that it is for, and belongs to the epoch of that seal.
  const sealedBy = sql`case when page.kind = 'human.proven' then (select min(${soulRevision.logIndex})
    from ${soulRevision} where ${soulRevision.tokenId} = concerned.token_id
      and ${soulRevision.block} = page.block and ${soulRevision.logIndex} > page.log_index)
    else page.log_index end`;
  const epoch = sql`(select ${soulEpoch.epoch} from ${soulEpoch}
    where ${soulEpoch.tokenId} = concerned.token_id
      and (${soulEpoch.startBlock}, ${soulEpoch.startLogIndex}) <= (page.block, ${sealedBy})
    order by ${soulEpoch.epoch} desc limit 1)`;
  // One look-up for each event. A plain join may read all agents to name those of one page.
  const agentWith = (id: SQL) => sql`(select ${soul.tokenId}, ${soul.name}, ${soul.passportId}
    from ${soul} where ${soul.tokenId} = ${id} limit 1)`;
  // Without a branch there is nothing to read, such as the batches of one agent.
  const all =
    branches.length === 0
      ? sql`select null::text as kind, null::numeric as block, null::int as log_index,
          null::numeric as part, null::numeric as "timestamp", null::text as tx,
          null::numeric as token_id, null::numeric as other_token_id, null::numeric as passport_id,
          null::numeric as organization_id, null::json as details where false`
      : sql.join([...branches], sql` union all `);
  return sql`with reached as materialized (select ${point.sql} as point),
    indexed as materialized (select substring(point from 27 for 16)::numeric as block from reached),
    ${
      order === "newest"
        ? sql`before as materialized (${newestBefore("after")}),
    before_in_life as materialized (${newestBefore("afterInLife")}),`
        : sql``
    }
    page as materialized (select * from (${all}) as merged order by ${sorted("")}
      limit ${sql.raw(`${size}`)})
  select reached.point, page.kind, page.block, page.log_index, page.part, page."timestamp", page.tx,
    concerned.token_id, concerned.name, second.token_id as other_token_id, second.name as other_name,
    coalesce(page.passport_id, concerned.passport_id) as passport_id, page.organization_id,
    ${epoch} as epoch, page.details
  from reached left join page on true
    left join lateral ${agentWith(sql`coalesce(page.token_id, ${carried})`)} as concerned on true
    left join lateral ${agentWith(sql`page.other_token_id`)} as second on true
  order by ${sorted("page.")}`;
}

function eventOf(row: Row, kind: EventKind): IndexedEvent {
  return {
    kind,
    block: BigInt(row.block),
    logIndex: row.log_index,
    part: BigInt(row.part),
    timestamp: BigInt(row.timestamp),
    tx: row.tx,
    agent: agentOf(row.token_id, row.name),
    other: agentOf(row.other_token_id, row.other_name),
    passportId: idOf(row.passport_id),
    organizationId: idOf(row.organization_id),
    epoch: row.epoch,
    details: detailsOf(kind, row.details),
  };
}

const idOf = (text: string | null) => (text === null ? null : BigInt(text));

const agentOf = (tokenId: string | null, name: string | null) =>
  tokenId === null || name === null ? null : { tokenId: BigInt(tokenId), name };
