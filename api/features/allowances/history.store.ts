import { and, eq, gte, ne, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { getAddress, type Hex, zeroAddress } from "viem";
import { pageOf } from "../../kernel/list-pages.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import {
  chainViews,
  decodeCheckpoint,
  firstOf,
  indexedUpTo,
  isHeldBySealer,
  readable,
} from "../../soul/index-views.store.ts";
import type { AllowanceIndex, PaymentRecord, Reason } from "./allowances.ts";

const { soul, passport, allowance, spend } = chainViews;
const { checkpoint, point } = indexedUpTo;

/** The agents that take payments at an account: as its operator, or as the owner of agents without one. */
const payee = alias(soul, "payee");

const SECONDS_OF_A_DAY = 86_400n;

const STATUS_OF_KIND = { ALLOWED: "paid", REFUSED: "refused", REPORTED: "reported" } as const;

interface Entry {
  readonly kind: keyof typeof STATUS_OF_KIND;
  readonly amount: string;
  readonly recipient: Hex;
  readonly agent: string | null;
  readonly time: number;
  readonly tx: Hex;
  readonly within: boolean;
  readonly reason: Reason | "NONE" | "TRANSFER_FAILED";
  readonly ref: Hex;
  readonly digest: Hex | null;
  readonly epoch: number;
  readonly block: string;
  readonly log: number;
}

const positionOf = ({ block, log }: Entry) => ({ block: BigInt(block), logIndex: log });

/** Payments and allowances in the index. */
export function createAllowanceIndex(pool: Pool): AllowanceIndex {
  const db = drizzle(pool);
  const counted = ne(spend.kind, "REFUSED");

  return {
    async history(tokenId, { limit, offset, since, after }) {
      const which = and(
        eq(spend.tokenId, tokenId),
        since === null ? undefined : gte(spend.timestamp, since),
      ) as SQL;
      const isAfter = rowsAfter(after, "desc", (last) => [
        [spend.block, last.block],
        [spend.logIndex, last.logIndex],
      ]);
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
            'agent', (${agent}), 'time', ${spend.timestamp}, 'tx', ${spend.tx},
            'within', ${spend.withinLimits}, 'reason', ${spend.reason}, 'ref', ${spend.paymentRef},
            'digest', ${spend.digest},
            'epoch', ${spend.epoch}, 'block', ${spend.block}::text, 'log', ${spend.logIndex})`.as(
            "entry",
          ),
        })
        .from(spend)
        .where(and(which, isAfter))
        .orderBy(sql`${spend.block} desc, ${spend.logIndex} desc`)
        .limit(limit + 1)
        .offset(offset)
        .as("page");
      const entries = db.select({ all: sql`json_agg(${page.entry})` }).from(page);
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
            totals: sql<{ spent: string; counted: number; entries: number }>`(${totals})`.as(
              "totals",
            ),
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
          totalSpent: BigInt(sums.spent),
          transactionCount: sums.counted,
          totalEntries: sums.entries,
          entries: paid.map(recordOf),
          next,
        },
      };
    },

    async usage(tokenId, owner, { blockTime, periodStart }) {
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
        .innerJoin(
          allowance,
          and(eq(allowance.tokenId, soul.tokenId), eq(allowance.epoch, soul.epoch)),
        )
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
          transactionsToday: row.today,
          shared: {
            agents: row.shared.agents,
            dailyLimit: BigInt(row.shared.limit),
            remainingToday: BigInt(row.shared.left),
          },
        },
      };
    },
  };
}

function recordOf(entry: Entry): PaymentRecord {
  return {
    status: STATUS_OF_KIND[entry.kind],
    amount: BigInt(entry.amount),
    recipient: getAddress(entry.recipient),
    recipientAgent: entry.agent,
    timestamp: BigInt(entry.time),
    txHash: entry.tx,
    withinLimits: entry.within,
    violationType: entry.reason === "NONE" ? null : entry.reason,
    paymentRef: entry.ref,
    digest: entry.digest,
    epoch: entry.epoch,
  };
}
