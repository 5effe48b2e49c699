import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gte, or, sql } from "drizzle-orm";
import { MONTH_SECONDS } from "../../../../protocol/index.ts";
import { ApiError } from "../../../kernel/errors.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import type { JobQueue } from "../../../platform/jobs/ports.ts";
import type { ChainSouls } from "../../../soul/chain-soul.ts";
import type { IndexedAgents } from "../../../soul/index-reads.ts";
import {
  chainViews,
  indexedPointText,
  isValidSoul,
  pointOf,
  readable,
} from "../../../soul/index-views.store.ts";
import { requireAgent } from "../../../soul/require-agent.ts";
import { requireSoul } from "../../../soul/require-soul.ts";
import { byTokenId } from "../../../soul/soul-ref.ts";
import { chronicle } from "../../chronicles/index.ts";
import { estimatedCompletion, sendSnapshots } from "../job-names.ts";
import { alignmentSnapshot } from "../tables.ts";
import { scoredFrom } from "./snapshot.ts";
import { continueLater, isUnfinished, type OpenSnapshot, openColumns } from "./snapshots.store.ts";

const { passport, soul } = chainViews;

/** Snapshots that an agent and its owner may ask for on one UTC day. */
const REQUESTS_A_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Agents for which snapshots are opened in one transaction. */
const OPENED_AT_ONCE = 500;

/** The agent that a snapshot is opened for. */
type Subject = Pick<typeof alignmentSnapshot.$inferSelect, "tokenId" | "agentName" | "epoch">;

/** Opens snapshots: at request, and for active agents once a day. */
export function createSnapshotOpening({
  store,
  souls,
  agents,
  clock,
  openedAtOnce = OPENED_AT_ONCE,
}: {
  readonly store: ReturnType<typeof createOpeningStore>;
  readonly souls: ChainSouls;
  readonly agents: IndexedAgents;
  readonly clock: () => Date;
  readonly openedAtOnce?: number;
}) {
  return {
    /**
     * @throws ApiError NOT_FOUND, BURNED or SUSPENDED; FORBIDDEN for a soul that is not sealed, or
     * that has no score yet; RATE_LIMIT_EXCEEDED.
     */
    async request(tokenId: bigint, operationKey: string) {
      const live = await requireSoul(souls, tokenId, "active");
      const { value } = await requireAgent(agents, byTokenId(tokenId));
      const from = scoredFrom(value.soul);
      // An epoch that the index has not seen has just begun.
      if (value.soul.epoch !== live.epoch || live.blockTime < from) throw tooNew(from);
      const now = clock();
      const since = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
      const opened = await store.request(
        { tokenId, agentName: live.name, epoch: live.epoch },
        operationKey,
        { max: REQUESTS_A_DAY, since },
      );
      if (opened === null) throw dayIsFull(now, since);
      const { passportId } = live;
      return { ...opened, passportId, estimatedCompletion: estimatedCompletion(opened.createdAt) };
    },

    /** Opens the snapshots that are due, a page at a time. */
    async schedule(signal?: AbortSignal): Promise<void> {
      for (let after: bigint | null = 0n; after !== null; ) {
        signal?.throwIfAborted();
        after = await store.openDue(after, openedAtOnce);
      }
      await store.continueLater();
    },
  };
}

function tooNew(from: bigint): ApiError {
  return new ApiError("FORBIDDEN", {
    message:
      "The agent, or its present epoch, is under 30 days old: it has no score yet. Ask again later.",
    details: { scoredFrom: new Date(Number(from) * 1000).toISOString() },
  });
}

function dayIsFull(now: Date, since: Date): ApiError {
  const resetAt = new Date(since.getTime() + DAY_MS);
  return new ApiError("RATE_LIMIT_EXCEEDED", {
    message: `Snapshots of an agent can be asked for at most ${REQUESTS_A_DAY} times a day (UTC).`,
    details: { limit: REQUESTS_A_DAY, resetAt: resetAt.toISOString() },
    retryAfter: Math.ceil((resetAt.getTime() - now.getTime()) / 1000),
  });
}

/** Opens snapshots in Postgres, each with its job in one transaction. */
export function createOpeningStore({
  db,
  jobs,
  clock,
}: {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly clock: () => Date;
}) {
  return {
    /**
     * Opens a snapshot and queues its job. Returns the one that the same operation opened, or an
     * unfinished one of the agent, instead. Null when the day is full.
     */
    request(
      subject: Subject,
      operationKey: string,
      limit: { readonly max: number; readonly since: Date },
    ): Promise<OpenSnapshot | null> {
      return db.transaction(async (tx) => {
        const lock = `alignment snapshots of ${subject.tokenId}`;
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
        const known = await openedBefore(tx, subject, operationKey);
        if (known === undefined && (await requestsSince(tx, subject, limit.since)) >= limit.max) {
          return null;
        }
        const opened = known ?? (await openRequested(tx, subject, operationKey, clock()));
        await sendSnapshots(jobs, tx, clock());
        return opened;
      });
    },

    /**
     * Opens snapshots of the next active agents after `after` that have none of the last day, at most
     * `limit`, and queues their job. Resolves to the last of them; null when there are no more.
     */
    openDue(after: bigint, limit: number): Promise<bigint | null> {
      return readable(() =>
        db.transaction(async (tx) => {
          const [progress] = await tx
            .select({ point: indexedPointText(tx) })
            .from(sql`(values (1)) as one`);
          const { timestamp } = pointOf(progress?.point ?? null);
          const { rows } = await tx.execute<{ opened: string; last: string | null }>(
            openDueAgents({ now: clock(), chainNow: timestamp, after, limit }),
          );
          const { opened, last } = rows[0] ?? { opened: "0", last: null };
          if (Number(opened) > 0) await sendSnapshots(jobs, tx, clock());
          return last === null ? null : BigInt(last);
        }),
      );
    },

    /** Queues the job, unless nothing is unfinished. */
    continueLater: () => continueLater(db, jobs, clock()),
  };
}

/** The snapshot that the same operation opened, or an unfinished one of the agent. */
async function openedBefore(tx: Executor, { tokenId, epoch }: Subject, operationKey: string) {
  const [opened] = await tx
    .select(openColumns)
    .from(alignmentSnapshot)
    .where(
      and(
        eq(alignmentSnapshot.tokenId, tokenId),
        or(
          eq(alignmentSnapshot.operationKey, operationKey),
          and(isUnfinished, eq(alignmentSnapshot.epoch, epoch)),
        ),
      ),
    )
    .orderBy(asc(alignmentSnapshot.createdAt))
    .limit(1);
  return opened;
}

async function requestsSince(tx: Executor, { tokenId }: Subject, since: Date): Promise<number> {
  const [row] = await tx
    .select({ requests: count() })
    .from(alignmentSnapshot)
    .where(
      and(
        eq(alignmentSnapshot.tokenId, tokenId),
        eq(alignmentSnapshot.trigger, "requested"),
        gte(alignmentSnapshot.createdAt, since),
      ),
    );
  return row?.requests ?? 0;
}

async function openRequested(
  tx: Executor,
  subject: Subject,
  operationKey: string,
  createdAt: Date,
): Promise<OpenSnapshot> {
  // One of an ended epoch is about an owner who has left.
  await tx
    .update(alignmentSnapshot)
    .set({ state: "dropped", dropReason: "The soul was resealed.", content: null })
    .where(and(eq(alignmentSnapshot.tokenId, subject.tokenId), isUnfinished));
  const id = randomUUID();
  const opened = { ...subject, id, trigger: "requested", state: "computing", createdAt } as const;
  await tx.insert(alignmentSnapshot).values({ ...opened, operationKey });
  return opened;
}

/**
 * Opens snapshots of the next agents with a valid seal that are old enough for a score, that did
 * something in the last 30 days or have no score, and that have no snapshot of the last 20 hours:
 * the next one is on chain before the last one stops being fresh. `last` is null on the last page.
 */
function openDueAgents(of: {
  readonly now: Date;
  readonly chainNow: bigint;
  readonly after: bigint;
  readonly limit: number;
}) {
  const { now, chainNow, after, limit } = of;
  const monthAgo = sql`${now}::timestamptz - interval '30 days'`;
  const chainMonthAgo = (chainNow - MONTH_SECONDS).toString();
  const startedAt = sql`(case when ${soul.epoch} = 1 then ${soul.mintTimestamp} else ${soul.sealedAt} end)`;
  // Neither is an EXISTS: PostgreSQL would join it, and read all chronicles of the month or all
  // snapshots for each page. These two are looked up for one agent after another.
  const hasChronicles = sql`(select true from ${chronicle}
    where ${chronicle.tokenId} = ${soul.tokenId}::bigint and ${chronicle.recordedAt} > ${monthAgo}
    limit 1)`;
  const hasSnapshot = sql`(select true from ${alignmentSnapshot} as earlier
    where earlier.token_id = ${soul.tokenId}::bigint
      and (earlier.state in ('computing', 'computed', 'archived')
        or (earlier.epoch = ${soul.epoch}
          and earlier.created_at > ${now}::timestamptz - interval '20 hours'))
    limit 1)`;
  return sql`
    with due as (
      select ${soul.tokenId}::bigint as token_id, ${soul.name} as name, ${soul.epoch} as epoch
      from ${soul} join ${passport} on ${passport.id} = ${soul.passportId}
      where ${soul.tokenId} > ${after.toString()} and ${isValidSoul(soul, passport)}
        and ${startedAt} <= ${chainMonthAgo}::numeric
        and (${soul.alignmentScore} is null or ${soul.lastActiveAt} > ${chainMonthAgo}::numeric
          or ${hasChronicles})
        and ${hasSnapshot} is null
      order by ${soul.tokenId} limit ${limit}
    ), opened as (
      insert into ${alignmentSnapshot}
        (id, token_id, agent_name, epoch, trigger, state, created_at)
      select gen_random_uuid()::text, token_id, name, epoch, 'scheduled', 'computing', ${now}
      from due on conflict do nothing returning token_id
    )
    select (select count(*) from opened) as opened,
      (select case when count(*) = ${limit} then max(token_id) end from due) as last`;
}
