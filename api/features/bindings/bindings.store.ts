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
import { drizzle } from "drizzle-orm/node-postgres";
import { alias, unionAll } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { getAddress, type Hex } from "viem";
import { dateOf } from "../../kernel/chain-time.ts";
import { type ListPage, pageOf } from "../../kernel/list-pages.ts";
import type { EventCursor } from "../../operations/event-follower.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import {
  chainViews,
  indexedPointText,
  indexedUpTo,
  isValidSoul,
  pointOf,
  readable,
} from "../../soul/index-views.store.ts";
import type {
  BindingFilter,
  BindingPosition,
  BindingReads,
  ChangePosition,
  IndexedBinding,
} from "./binding-list.ts";
import type { ChangedBinding } from "./changes.ts";
import type { BindingAuthority, TrustLevel } from "./pairs.ts";
import { trustLevelNumber, trustLevelOf } from "./pairs.ts";

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

const bindingPosition = ({ createdAt, fromTokenId, toTokenId }: BindingPosition) => ({
  createdAt,
  fromTokenId,
  toTokenId,
});

const changePosition = ({ version, serviceVersion }: ChangePosition) => ({
  version,
  serviceVersion,
});

/** Bindings in the index. */
export function createBindingReads(pool: Pool): BindingReads & {
  /** The first `limit` changes after a cursor, up to and with a block, in order of block and key. */
  changes(after: EventCursor, upTo: bigint, limit: number): Promise<readonly ChangedBinding[]>;
} {
  const db = drizzle(pool);
  // Within an epoch the service never replaces an owner: equal authority means without a break.
  const authoritySince = db
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

  const pairs = () =>
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
  async function counted(tokenId: bigint, filter: BindingFilter) {
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
      pairs()
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

  return {
    async bindings(tokenId, filter, page) {
      const { at, total } = await counted(tokenId, filter);
      const rows = await readable(() => listed(tokenId, filter, page));
      const { entries, next } = pageOf(rows, page.limit, bindingPosition);
      const bindings = entries.map(({ fromAgent, toAgent, live, ...row }) => {
        const isOutbound = row.fromTokenId === tokenId;
        return {
          ...indexedBinding(row),
          live,
          direction: isOutbound ? ("outbound" as const) : ("inbound" as const),
          partnerTokenId: isOutbound ? row.toTokenId : row.fromTokenId,
          partnerAgent: isOutbound ? toAgent : fromAgent,
        };
      });
      return { at, value: { total, bindings, next } };
    },

    async binding(bindingId) {
      const [row] = await readable(() => pairs().where(eq(binding.bindingId, bindingId)));
      return row === undefined ? null : indexedBinding(row);
    },

    async history(bindingId, { limit, offset, after }) {
      const [pair] = await readable(() => pairs().where(eq(binding.bindingId, bindingId)));
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
      const { entries, next } = pageOf(rows, limit, changePosition);
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
    },

    async changes(after, upTo, limit) {
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
    },
  };
}

function indexedBinding(row: {
  readonly bindingId: Hex;
  readonly fromTokenId: bigint;
  readonly toTokenId: bigint;
  readonly trustLevel: number;
  readonly authority: BindingAuthority | "NONE";
  readonly authoritySince: bigint;
  readonly context: string | null;
  readonly createdAt: bigint;
  readonly updatedAt: bigint;
  readonly txHash: Hex;
}): IndexedBinding {
  return {
    bindingId: row.bindingId,
    fromTokenId: row.fromTokenId,
    toTokenId: row.toTokenId,
    trustLevel: setLevel(row.trustLevel),
    authority: setAuthority(row.authority),
    authoritySince: dateOf(row.authoritySince),
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
