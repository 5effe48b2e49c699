import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gte, or, sql } from "drizzle-orm";
import { MONTH_SECONDS } from "../../../../protocol/index.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import type { JobQueue } from "../../../platform/jobs/ports.ts";
import {
  chainViews,
  indexedPointText,
  isValidSoul,
  pointOf,
  readable,
} from "../../../soul/index-views.store.ts";
import { chronicle } from "../../chronicles/index.ts";
import { sendSnapshots } from "../job-names.ts";
import { alignmentSnapshot } from "../tables.ts";
import type { OpeningStore } from "./opening.ts";
import type { OpenSnapshot } from "./snapshot.ts";
import { continueUnfinished, isUnfinished } from "./unfinished.store.ts";

const { passport, soul } = chainViews;

export interface OpeningStoreOptions {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly clock: () => Date;
}

/** Opens snapshots in Postgres. */
export function createOpeningStore({ db, jobs, clock }: OpeningStoreOptions): OpeningStore {
  const send = (tx: Executor) => sendSnapshots(jobs, tx, clock());

  return {
    request({ tokenId, agentName, epoch }, operationKey, { max, since }) {
      return db.transaction(async (tx) => {
        const lock = `alignment snapshots of ${tokenId}`;
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
        const [known] = await tx
          .select()
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
        if (known !== undefined) {
          await send(tx);
          return toOpened(known);
        }
        const [today] = await tx
          .select({ requests: count() })
          .from(alignmentSnapshot)
          .where(
            and(
              eq(alignmentSnapshot.tokenId, tokenId),
              eq(alignmentSnapshot.trigger, "requested"),
              gte(alignmentSnapshot.createdAt, since),
            ),
          );
        if ((today?.requests ?? 0) >= max) return null;
        // One of an ended epoch is about an owner who has left.
        await tx
          .update(alignmentSnapshot)
          .set({ state: "dropped", dropReason: "The soul was resealed.", content: null })
          .where(and(eq(alignmentSnapshot.tokenId, tokenId), isUnfinished));
        const [row] = await tx
          .insert(alignmentSnapshot)
          .values({
            id: randomUUID(),
            tokenId,
            agentName,
            epoch,
            trigger: "requested",
            state: "computing",
            createdAt: clock(),
            operationKey,
          })
          .returning();
        if (row === undefined) throw new Error("A snapshot was not added.");
        await send(tx);
        return toOpened(row);
      });
    },

    openDue(after, limit) {
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
          if (Number(opened) > 0) await send(tx);
          return last === null ? null : BigInt(last);
        }),
      );
    },

    continueLater: () => continueUnfinished(db, jobs, clock()),
  };
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

function toOpened(row: typeof alignmentSnapshot.$inferSelect): OpenSnapshot {
  const { id, tokenId, epoch, createdAt } = row;
  return { id, tokenId, epoch, createdAt };
}
