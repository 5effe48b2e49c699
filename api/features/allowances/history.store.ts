import { and, eq, gte, ne, or, type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { type Address, getAddress, type Hex, zeroAddress } from "viem";
import type { OverspendingReason } from "../../../protocol/index.ts";
import { type ListPage, pageOf } from "../../kernel/list-pages.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  isHeldBySealer,
  readable,
} from "../../soul/index-views.store.ts";

const { soul, passport, allowance, spend } = chainViews;
const { checkpoint, point } = indexedUpTo;

/** The agents that take payments at an account: as its operator, or as the owner of agents without one. */
const payee = alias(soul, "payee");

const SECONDS_OF_A_DAY = 86_400n;

const STATUS_OF_KIND = { ALLOWED: "paid", REFUSED: "refused", REPORTED: "reported" } as const;

/** A payment as JSON has it. */
interface Entry {
  readonly kind: keyof typeof STATUS_OF_KIND;
  readonly amount: string;
  readonly recipient: Hex;
  /** The agent that takes payments at `recipient`; null for none, and for several. */
  readonly recipientAgent: string | null;
  readonly timestamp: number;
  readonly txHash: Hex;
  readonly withinLimits: boolean;
  readonly reason: OverspendingReason | "NONE" | "TRANSFER_FAILED";
  readonly paymentRef: Hex;
  /** EIP-712 digest of the signed payment; null without a signature. */
  readonly digest: Hex | null;
  readonly epoch: number;
  readonly block: string;
  readonly logIndex: number;
}

/** A payment that was made, refused or reported. */
export type PaymentRecord = ReturnType<typeof recordOf>;
/** What is indexed of an agent's payments today, and of all agents of its owner. */
export type IndexedUsage = Awaited<ReturnType<typeof usage>>["value"];
export type AllowanceIndex = ReturnType<typeof createAllowanceIndex>;

export interface HistoryPage
  extends ListPage<{ readonly block: bigint; readonly logIndex: number }> {
  /** Unix seconds, inclusive; null for all. */
  readonly since: bigint | null;
}

const positionOf = ({ block, logIndex }: Entry) => ({ block: BigInt(block), logIndex });

/** What counts: payments that were made or reported. */
const counted = ne(spend.kind, "REFUSED");

/** Payments and allowances in the index. Each call is one query. */
export function createAllowanceIndex(pool: Pool) {
  const db = drizzle(pool);
  return {
    /** Null when no soul of this id is indexed. */
    history: (tokenId: bigint, page: HistoryPage) => history(db, tokenId, page),

    /** @param owner Null for no agents to share with. @param at The block whose day and time count. */
    usage: (
      tokenId: bigint,
      owner: Address | null,
      at: { readonly blockTime: bigint; readonly periodStart: bigint },
    ) => usage(db, tokenId, owner, at),
  };
}

async function history(
  db: NodePgDatabase,
  tokenId: bigint,
  { limit, offset, since, after }: HistoryPage,
) {
  const which = and(
    eq(spend.tokenId, tokenId),
    since === null ? undefined : gte(spend.timestamp, since),
  ) as SQL;
  const isAfter = rowsAfter(after, "desc", (last) => [
    [spend.block, last.block],
    [spend.logIndex, last.logIndex],
  ]);
  const entries = entriesOf(db, { limit, offset }, and(which, isAfter));
  const totals = db
    .select({
      totals: sql`json_build_object(
        'spent', coalesce(sum(${spend.amount}) filter (where ${counted}), 0)::text,
        'counted', count(*) filter (where ${counted}), 'entries', count(*))`,
    })
    .from(spend)
    .where(which);
  const rows = await readable(() =>
    db
      .select({
        point,
        name: soul.name,
        passportId: soul.passportId,
        entries: sql<readonly Entry[] | null>`(${entries})`.as("entries"),
        totals: sql<{ spent: string; counted: number; entries: number }>`(${totals})`.as("totals"),
      })
      .from(checkpoint)
      .leftJoin(soul, eq(soul.tokenId, tokenId)),
  );
  const { name, passportId, totals: sums, entries: found, point: text } = firstOf(rows);
  const at = decodeCheckpoint(text);
  if (name === null || passportId === null) return { at, value: null };
  const { entries: paid, next } = pageOf(found ?? [], limit, positionOf);
  return {
    at,
    value: {
      agentName: name,
      passportId,
      /** Of all payments that were made or reported, not only of this page. */
      totalSpent: BigInt(sums.spent),
      transactionCount: sums.counted,
      /** Entries of all pages, refused payments included. */
      totalEntries: sums.entries,
      entries: paid.map(recordOf),
      next,
    },
  };
}

/** A page of entries, as one JSON array: one more than `limit`. */
function entriesOf(
  db: NodePgDatabase,
  { limit, offset }: Pick<HistoryPage, "limit" | "offset">,
  where: SQL | undefined,
) {
  const takesPayments = or(
    eq(payee.operator, spend.recipient),
    and(eq(payee.operator, zeroAddress), eq(payee.sealer, spend.recipient)),
  );
  // Two are enough to tell that it is not one agent's account alone.
  const payees = db
    .select({ name: payee.name })
    .from(payee)
    .where(and(takesPayments, ne(spend.recipient, zeroAddress), ne(payee.status, "BURNED")))
    .limit(2)
    .as("payees");
  const agent = db
    .select({ name: sql`min(${payees.name})` })
    .from(payees)
    .having(sql`count(*) = 1`);
  const page = db
    .select({
      entry: sql`json_build_object(
        'kind', ${spend.kind}, 'amount', ${spend.amount}::text, 'recipient', ${spend.recipient},
        'recipientAgent', (${agent}), 'timestamp', ${spend.timestamp}, 'txHash', ${spend.tx},
        'withinLimits', ${spend.withinLimits}, 'reason', ${spend.reason}, 'paymentRef', ${spend.paymentRef},
        'digest', ${spend.digest},
        'epoch', ${spend.epoch}, 'block', ${spend.block}::text, 'logIndex', ${spend.logIndex})`.as(
        "entry",
      ),
    })
    .from(spend)
    .where(where)
    .orderBy(sql`${spend.block} desc, ${spend.logIndex} desc`)
    .limit(limit + 1)
    .offset(offset)
    .as("page");
  return db.select({ all: sql`json_agg(${page.entry})` }).from(page);
}

async function usage(
  db: NodePgDatabase,
  tokenId: bigint,
  owner: Address | null,
  { blockTime, periodStart }: { readonly blockTime: bigint; readonly periodStart: bigint },
) {
  const today = db
    .select({ count: sql`count(*)` })
    .from(spend)
    .where(and(eq(spend.tokenId, tokenId), gte(spend.timestamp, periodStart), counted));
  const day = Number(periodStart / SECONDS_OF_A_DAY);
  const left = sql`greatest(${allowance.dailyLimit} - case when ${allowance.spentDay} = ${day} then ${allowance.spentToday} else 0 end, 0)`;
  const shared = db
    .select({
      sums: sql`json_build_object('agents', count(*),
        'limit', coalesce(sum(${allowance.dailyLimit}), 0)::text,
        'left', coalesce(sum(${left}), 0)::text)`,
    })
    .from(soul)
    .innerJoin(passport, eq(passport.id, soul.passportId))
    .innerJoin(allowance, and(eq(allowance.tokenId, soul.tokenId), eq(allowance.epoch, soul.epoch)))
    .where(
      and(
        eq(soul.sealer, (owner ?? zeroAddress).toLowerCase() as Hex),
        eq(soul.status, "SEALED"),
        isHeldBySealer(soul, passport),
        eq(allowance.active, true),
        gte(allowance.validUntil, blockTime),
      ),
    );
  const rows = await readable(() =>
    db
      .select({
        point,
        today: sql<number>`(${today})`.mapWith(Number).as("today"),
        shared: sql<{ agents: number; limit: string; left: string }>`(${shared})`.as("shared"),
      })
      .from(checkpoint),
  );
  const row = firstOf(rows);
  return {
    at: decodeCheckpoint(row.point),
    value: {
      /** Payments of the day that counted: made or reported. */
      transactionsToday: row.today,
      /** All agents of one owner that can pay from its wallet now: the sum of their daily limits, and what these leave today. */
      shared: {
        agents: row.shared.agents,
        dailyLimit: BigInt(row.shared.limit),
        remainingToday: BigInt(row.shared.left),
      },
    },
  };
}

function recordOf({ kind, reason, block, logIndex, ...entry }: Entry) {
  return {
    ...entry,
    status: STATUS_OF_KIND[kind],
    amount: BigInt(entry.amount),
    recipient: getAddress(entry.recipient),
    timestamp: BigInt(entry.timestamp),
    /** Null when nothing was violated. */
    violationType: reason === "NONE" ? null : reason,
  };
}
