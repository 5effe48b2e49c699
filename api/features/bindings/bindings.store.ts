import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  lte,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias, QueryBuilder, unionAll } from "drizzle-orm/pg-core";
import { getAddress, type Hex } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import { type ListPage, pageOf } from "../../kernel/list-pages.ts";
import type { EventCursor } from "../../operations/event-follower.ts";
import type { Database } from "../../platform/database/connect.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { IndexedSoul, Reading, UnclaimedReads } from "../../soul/index-reads.ts";
import {
  chainViews,
  indexedPointText,
  indexedUpTo,
  isValidSoul,
  pointOf,
  readable,
} from "../../soul/index-views.store.ts";
import { noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import type { ChangedBinding } from "./changes.ts";
import {
  type BindingAuthority,
  type BindingFilter,
  type TrustLevel,
  trustLevelNumber,
  trustLevelOf,
} from "./pairs.ts";

/** Where a binding is in an agent's list. `createdAt` is in Unix seconds. */
interface BindingPosition {
  readonly createdAt: bigint;
  readonly fromTokenId: bigint;
  readonly toTokenId: bigint;
}

/** Where a change is in a binding's history: each write raises one of the two. */
interface ChangePosition {
  readonly version: number;
  readonly serviceVersion: number;
}

/** A binding as indexed. */
export type IndexedBinding = ReturnType<typeof recordOf>;

type ListedBindings = Awaited<ReturnType<typeof bindingsOf>>["value"];
/** A binding as a list shows it to one of its agents. */
export type ListedBinding = ListedBindings["bindings"][number];

/** The bindings of an agent, or of one that its owner has not claimed: it has none. */
export interface AgentBindings extends ListedBindings {
  readonly agentName: string;
  /** Null before the claim. */
  readonly tokenId: bigint | null;
  readonly passportId: bigint | null;
  readonly genesisStatus: IndexedSoul["status"];
}

const { soul, passport, binding, bindingChange } = chainViews;
const { checkpoint, point } = indexedUpTo;

const from = alias(soul, "from_soul");
const to = alias(soul, "to_soul");
const fromPassport = alias(passport, "from_passport");
const toPassport = alias(passport, "to_passport");
const earlier = alias(bindingChange, "earlier");

/** Names a change among those of its block; each write raises one of the two versions. */
const CHANGE_KEY = sql<string>`(${bindingChange.fromTokenId} || ':' || ${bindingChange.toTokenId} || ':' || ${bindingChange.version} || ':' || ${bindingChange.serviceVersion}) collate "C"`;

/** A function, because Drizzle changes the order that a union is given. */
const newest = () => [desc(binding.createdAt), desc(binding.fromTokenId), desc(binding.toTokenId)];

/** The bindings that an agent made, that others made with it, or both. */
function sides(tokenId: bigint, { direction }: BindingFilter): readonly [SQL, SQL?] {
  const outbound = eq(binding.fromTokenId, tokenId);
  const inbound = eq(binding.toTokenId, tokenId);
  if (direction === "both") return [outbound, inbound];
  return [direction === "outbound" ? outbound : inbound];
}

// Within an epoch the service never replaces an owner: equal authority means without a break.
const authoritySince = new QueryBuilder()
  .select({ at: sql`min(${earlier.timestamp})` })
  .from(earlier)
  .where(
    and(
      eq(earlier.fromTokenId, binding.fromTokenId),
      eq(earlier.toTokenId, binding.toTokenId),
      eq(earlier.authority, binding.authority),
      eq(earlier.epoch, binding.epoch),
    ),
  );

const columns = {
  bindingId: binding.bindingId,
  fromTokenId: binding.fromTokenId,
  toTokenId: binding.toTokenId,
  trustLevel: binding.trustLevel,
  authority: binding.authority,
  context: binding.context,
  createdAt: binding.createdAt,
  updatedAt: binding.updatedAt,
  txHash: binding.updateTx,
  authoritySince: sql<bigint>`(${authoritySince})`.mapWith(BigInt).as("authority_since"),
};

const isCurrent = and(eq(binding.epoch, from.epoch), eq(binding.toEpoch, to.epoch)) as SQL;

const matches = ({ trustLevel, includeEnded }: BindingFilter) =>
  and(
    trustLevel === undefined ? undefined : eq(binding.trustLevel, trustLevelNumber(trustLevel)),
    includeEnded ? undefined : isCurrent,
  );

type BindingRow = Pick<Awaited<ReturnType<typeof pairs>>[number], keyof typeof columns>;

const pairs = (db: Database) =>
  db
    .select({
      ...columns,
      point: indexedPointText(db),
      fromAgent: sql<string>`${from.name}`.as("from_agent"),
      toAgent: sql<string>`${to.name}`.as("to_agent"),
      live: sql<boolean>`coalesce(${isCurrent} and ${isValidSoul(from, fromPassport)}
        and ${isValidSoul(to, toPassport)}, false)`.as("live"),
    })
    .from(binding)
    .innerJoin(from, eq(from.tokenId, binding.fromTokenId))
    .innerJoin(to, eq(to.tokenId, binding.toTokenId))
    .leftJoin(fromPassport, eq(fromPassport.id, from.passportId))
    .leftJoin(toPassport, eq(toPassport.id, to.passportId));

/** How many there are, for a page without any too. */
async function counted(db: Database, tokenId: bigint, filter: BindingFilter) {
  // Each side by itself: of "from or to" PostgreSQL may make one pass over all bindings.
  const ofSides = sides(tokenId, filter).map(
    (side) =>
      sql`(${db
        .select({ total: count() })
        .from(binding)
        .innerJoin(from, eq(from.tokenId, binding.fromTokenId))
        .innerJoin(to, eq(to.tokenId, binding.toTokenId))
        .where(and(side, matches(filter)))})`,
  );
  const total = sql<number>`${sql.join(ofSides, sql` + `)}`.mapWith(Number);
  const [row] = await readable(() => db.select({ point, total }).from(checkpoint));
  return { at: pointOf(row?.point ?? null), total: row?.total ?? 0 };
}

/** The newest first. Each side is read in the order of its own index. */
async function listed(
  db: Database,
  tokenId: bigint,
  filter: BindingFilter,
  { limit, offset, after }: ListPage<BindingPosition>,
) {
  const isAfter = rowsAfter(after, "desc", (last) => [
    [binding.createdAt, last.createdAt],
    [binding.fromTokenId, last.fromTokenId],
    [binding.toTokenId, last.toTokenId],
  ]);
  const ofSide = (side: SQL, skipped: number, most: number) =>
    pairs(db)
      .where(and(side, matches(filter), isAfter))
      .orderBy(...newest())
      .limit(most)
      .offset(skipped);
  const [side, other] = sides(tokenId, filter);
  if (other === undefined) return await ofSide(side, offset, limit + 1);
  const most = offset + limit + 1;
  return await unionAll(ofSide(side, 0, most), ofSide(other, 0, most))
    .orderBy(...newest())
    .limit(limit + 1)
    .offset(offset);
}

/** Lists of bindings, with their validity: refused with INDEX_BEHIND when that would be old. */
export function createBindingLists({
  db,
  current,
  unclaimed,
  age,
}: Pick<SoulReads, "current" | "age"> & UnclaimedReads & { readonly db: Database }) {
  return {
    /** @throws ApiError NOT_FOUND, INDEX_BEHIND */
    async ofAgent(
      reference: SoulRef,
      filter: BindingFilter,
      page: ListPage<BindingPosition>,
    ): Promise<Reading<AgentBindings>> {
      const { at, value: agent } = await current.agent(reference);
      if (agent === null) {
        if (reference.kind === "name" && (await unclaimed(reference.name)) !== null) {
          const agentName = reference.name;
          const genesisStatus = "PROVISIONAL";
          const none = { tokenId: null, passportId: null, total: 0, bindings: [], next: null };
          return { at, value: { ...none, agentName, genesisStatus } };
        }
        throw noSuchSoul(reference);
      }
      const { tokenId, passportId, name, status } = agent.soul;
      const listed = await bindingsOf(db, tokenId, filter, page);
      if (!age.isFresh(listed.at)) throw age.behind(listed.at);
      return {
        at: listed.at,
        value: { ...listed.value, agentName: name, tokenId, passportId, genesisStatus: status },
      };
    },

    /** @throws ApiError NOT_FOUND */
    async history(bindingId: Hex, page: ListPage<ChangePosition>) {
      const { at, value } = await bindingHistory(db, bindingId, page);
      if (value === null) {
        throw new ApiError("NOT_FOUND", { message: "There is no binding with this id." });
      }
      return { at, value };
    },
  };
}

/** Bindings of an agent, the newest first, and how many there are on all pages. */
export async function bindingsOf(
  db: Database,
  tokenId: bigint,
  filter: BindingFilter,
  page: ListPage<BindingPosition>,
) {
  const { at, total } = await counted(db, tokenId, filter);
  const rows = await readable(() => listed(db, tokenId, filter, page));
  const { entries, next } = pageOf(rows, page.limit, ({ createdAt, fromTokenId, toTokenId }) => ({
    createdAt,
    fromTokenId,
    toTokenId,
  }));
  const bindings = entries.map(({ fromAgent, toAgent, live, ...row }) => {
    const isOutbound = row.fromTokenId === tokenId;
    return {
      ...recordOf(row),
      live,
      direction: isOutbound ? ("outbound" as const) : ("inbound" as const),
      partnerTokenId: isOutbound ? row.toTokenId : row.fromTokenId,
      partnerAgent: isOutbound ? toAgent : fromAgent,
    };
  });
  return { at, value: { total, bindings, next } };
}

/** The binding with an id; null for none. */
export async function indexedBinding(db: Database, bindingId: Hex) {
  const [row] = await readable(() => pairs(db).where(eq(binding.bindingId, bindingId)));
  return row === undefined ? null : recordOf(row);
}

/** Changes of a binding, the newest first; null when there is no such binding. */
export async function bindingHistory(
  db: Database,
  bindingId: Hex,
  { limit, offset, after }: ListPage<ChangePosition>,
) {
  const [pair] = await readable(() => pairs(db).where(eq(binding.bindingId, bindingId)));
  if (pair === undefined) {
    const [row] = await readable(() => db.select({ point }).from(checkpoint));
    return { at: pointOf(row?.point ?? null), value: null };
  }
  const { fromTokenId, toTokenId, fromAgent, toAgent } = pair;
  const isOfPair = and(
    eq(bindingChange.fromTokenId, fromTokenId),
    eq(bindingChange.toTokenId, toTokenId),
  );
  const isAfter = rowsAfter(after, "desc", (last) => [
    [bindingChange.version, last.version],
    [bindingChange.serviceVersion, last.serviceVersion],
  ]);
  const rows = await readable(() =>
    db
      .select()
      .from(bindingChange)
      .where(and(isOfPair, isAfter))
      // Both versions only rise, so that this is the order of the writes, and of the key.
      .orderBy(desc(bindingChange.version), desc(bindingChange.serviceVersion))
      .limit(limit + 1)
      .offset(offset),
  );
  const [counted] = await readable(() =>
    db.select({ total: count() }).from(bindingChange).where(isOfPair),
  );
  const { entries, next } = pageOf(rows, limit, ({ version, serviceVersion }) => ({
    version,
    serviceVersion,
  }));
  const changes = entries.map((row) => ({
    previousTrustLevel: trustLevelOf(row.previousTrustLevel),
    trustLevel: setLevel(row.trustLevel),
    authority: setAuthority(row.authority),
    setBy: getAddress(row.setBy),
    epoch: row.epoch,
    toEpoch: row.toEpoch,
    context: row.context,
    txHash: row.tx,
    changedAt: dateOf(row.timestamp),
  }));
  const value = { fromAgent, toAgent, total: counted?.total ?? 0, changes, next };
  return { at: pointOf(pair.point), value };
}

/** The first `limit` changes after a cursor, up to and with a block, in order of block and key. */
export async function bindingChanges(
  db: Database,
  after: EventCursor,
  upTo: bigint,
  limit: number,
): Promise<readonly ChangedBinding[]> {
  // Limited before it is joined: PostgreSQL would join all changes that follow.
  const page = db
    .select({ ...getTableColumns(bindingChange), key: CHANGE_KEY.as("key") })
    .from(bindingChange)
    .where(
      and(
        // The first condition is the one that the index of blocks serves.
        gte(bindingChange.block, after.block),
        sql`(${bindingChange.block}, ${CHANGE_KEY}) > (${after.block.toString()}, ${after.key})`,
        lte(bindingChange.block, upTo),
      ),
    )
    .orderBy(asc(bindingChange.block), asc(CHANGE_KEY))
    .limit(limit)
    .as("page");
  const rows = await readable(() =>
    db
      .select({
        key: page.key,
        block: page.block,
        fromTokenId: page.fromTokenId,
        toTokenId: page.toTokenId,
        previousTrustLevel: page.previousTrustLevel,
        trustLevel: page.trustLevel,
        authority: page.authority,
        timestamp: page.timestamp,
        bindingId: binding.bindingId,
        fromAgent: from.name,
        toAgent: to.name,
        replacesEnded: sql<boolean>`coalesce(${ne(earlier.epoch, page.epoch)}
          or ${ne(earlier.toEpoch, page.toEpoch)}, false)`,
      })
      .from(page)
      .leftJoin(
        earlier,
        and(
          eq(earlier.fromTokenId, page.fromTokenId),
          eq(earlier.toTokenId, page.toTokenId),
          // Each write raises one of the two versions by one.
          sql`${earlier.version} + ${earlier.serviceVersion}
            = ${page.version} + ${page.serviceVersion} - 1`,
        ),
      )
      .innerJoin(
        binding,
        and(eq(binding.fromTokenId, page.fromTokenId), eq(binding.toTokenId, page.toTokenId)),
      )
      .innerJoin(from, eq(from.tokenId, page.fromTokenId))
      .innerJoin(to, eq(to.tokenId, page.toTokenId))
      .orderBy(asc(page.block), asc(page.key)),
  );
  return rows.map(({ timestamp, ...row }) => ({
    ...row,
    previousTrustLevel: trustLevelOf(row.previousTrustLevel),
    trustLevel: setLevel(row.trustLevel),
    authority: setAuthority(row.authority),
    changedAt: dateOf(timestamp),
  }));
}

function recordOf(row: BindingRow) {
  return {
    bindingId: row.bindingId,
    fromTokenId: row.fromTokenId,
    toTokenId: row.toTokenId,
    trustLevel: setLevel(row.trustLevel),
    authority: setAuthority(row.authority),
    /** Since when this authority stands behind it. */
    authoritySince: dateOf(row.authoritySince),
    /** Null when it cannot be stored as text. */
    context: row.context,
    createdAt: dateOf(row.createdAt),
    updatedAt: dateOf(row.updatedAt),
    txHash: row.txHash,
  };
}

/** The contract sets no binding without a trust level. */
function setLevel(number: number): TrustLevel {
  const level = trustLevelOf(number);
  if (level === null) throw new Error("A binding without a trust level is indexed.");
  return level;
}

/** The contract sets no binding without an authority. */
function setAuthority(authority: BindingAuthority | "NONE"): BindingAuthority {
  if (authority === "NONE") throw new Error("A binding without an authority is indexed.");
  return authority;
}
