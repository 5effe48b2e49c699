import {
  type AnyColumn,
  and,
  arrayContains,
  arrayOverlaps,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { type CursorPage, pageOf } from "../../kernel/list-pages.ts";
import { listParameter } from "../../platform/database/array-parameter.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import { rowsAfter } from "../../platform/database/keyset.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { currentTrace } from "../../platform/tracing/spans.ts";
import type { AgentEvent, EventName } from "./events.ts";
import { TEST_EVENT } from "./events.ts";
import type {
  AddedWebhook,
  ClaimedDelivery,
  DeliveryPosition,
  DeliveryState,
  EventRecord,
  ListedDelivery,
  NewDelivery,
  OpenDelivery,
  QueuedDelivery,
  RevivedDeliveries,
  SettledTry,
  TryRecord,
  UndeliveredRange,
  WebhookChanges,
  WebhookRecord,
  WebhookSubject,
} from "./records.ts";
import { lane, webhook, webhookDelivery, webhookEvent, webhookTry } from "./tables.ts";

/** Webhooks and their deliveries, in Postgres. */
export function createWebhookStore(db: Database) {
  return {
    rows: webhookRows(db),
    /** The statements within the caller's transaction. */
    within: webhookRows,
    transaction: <T>(work: (tx: Transaction, rows: WebhookRows) => Promise<T>): Promise<T> =>
      db.transaction((tx) => work(tx, webhookRows(tx))),
  };
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;
export type WebhookRows = ReturnType<typeof webhookRows>;

/** Statements on the tables of webhooks; each is atomic. */
const webhookRows = (db: Executor) => ({
  ...subscriptionRows(db),
  ...ownershipRows(db),
  ...eventRows(db),
  ...deliveryRows(db),
  ...claimRows(db),
  ...laneRows(db),
  ...tryRows(db),
  ...retryRows(db),
  ...sweepRows(db),
});

/** How many deliveries may be tried at once, by all processes together. */
const PLACES = { webhook: 2, lane: 4 } as const;

type SubscribedEvent = Pick<AgentEvent, "event" | "tokenId" | "registrationId">;

/** A delivery that a worker wants to try, under a lease of its own. */
export interface WantedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly leaseId: string;
}

/** When leases begin and end. */
interface DeliveryLease {
  readonly at: Date;
  readonly until: Date;
}

const QUEUED = {
  id: webhookDelivery.id,
  sequence: webhookDelivery.sequence,
  nextTryAt: webhookDelivery.nextTryAt,
};

/** Deliveries with their webhooks and events. */
const openDeliveries = (db: Executor, where: SQL | undefined) =>
  db
    .select({ delivery: webhookDelivery, event: webhookEvent, webhook })
    .from(webhookDelivery)
    .innerJoin(webhookEvent, eq(webhookEvent.id, webhookDelivery.eventId))
    .innerJoin(webhook, eq(webhook.id, webhookDelivery.webhookId))
    .where(where);

/** The columns of a list for `unnest`, each as one parameter: PostgreSQL takes at most 65,535. */
const columnsOf =
  <Entry>(entries: readonly Entry[]) =>
  (value: (entry: Entry) => unknown, type: string): SQL =>
    listParameter(entries.map(value), type);

/** As `inArray`, with the list as one parameter. */
const isOneOf = (column: AnyColumn, values: readonly unknown[], type: string): SQL =>
  sql`${column} = any(${listParameter(values, type)})`;

/** Until the transaction's end no other process looks for places in these lanes. */
async function lockLanes(db: Executor, lanes: readonly string[]): Promise<void> {
  // In the same order everywhere, so that two processes never wait for each other.
  await db.execute(sql`
    select pg_advisory_xact_lock(hashtextextended('webhook lane ' || l.lane, 0))
    from (select distinct lane from unnest(${listParameter(lanes, "text")}) as o (lane) order by lane) l`);
}

/**
 * Webhooks, locked in the order of their ids. Every statement that locks several does so: two
 * processes never wait for each other.
 */
function inOrder(db: Executor, which: SQL | undefined): SQL {
  const locked = db
    .select({ id: webhook.id })
    .from(webhook)
    .where(which)
    .orderBy(asc(webhook.id))
    .for("no key update");
  return inArray(webhook.id, locked);
}

/** Ends webhooks. Returns how many. */
async function endWhere(db: Executor, which: SQL | undefined, at: Date): Promise<number> {
  const ended = await db
    .update(webhook)
    .set({ endedAt: at })
    .where(inOrder(db, and(which, isNull(webhook.endedAt))))
    .returning({ id: webhook.id });
  return ended.length;
}

/** Webhooks by themselves. */
function subscriptionRows(db: Executor) {
  return {
    /** Until the transaction's end, no other one adds webhooks for this subject. */
    async lockSubject(subject: WebhookSubject) {
      const name = "tokenId" in subject ? `token ${subject.tokenId}` : subject.registrationId;
      await db.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${name}`}, 0))`,
      );
    },

    async listWebhooks(subject: WebhookSubject): Promise<readonly WebhookRecord[]> {
      return db
        .select()
        .from(webhook)
        .where(and(isNull(webhook.endedAt), belongsTo(subject)))
        .orderBy(asc(webhook.createdAt), asc(webhook.id));
    },

    /** Does nothing when the id exists. */
    async insertWebhook({ events, ...record }: WebhookSubject & AddedWebhook) {
      await db
        .insert(webhook)
        .values({ ...record, events: [...events] })
        .onConflictDoNothing();
    },

    async findWebhook(id: string): Promise<WebhookRecord | null> {
      const [row] = await db.select().from(webhook).where(eq(webhook.id, id));
      return row ?? null;
    },

    /** Those that exist, locked until the transaction's end. Lock them before their deliveries. */
    async lockWebhooks(ids: readonly string[]): Promise<readonly WebhookRecord[]> {
      return (
        db
          .select()
          .from(webhook)
          .where(isOneOf(webhook.id, ids, "uuid"))
          // In the same order everywhere, so that two processes never wait for each other.
          .orderBy(asc(webhook.id))
          // "no key": events of other transactions may still refer to them.
          .for("no key update")
      );
    },

    async updateWebhook(id: string, { failedTries, ...changes }: WebhookChanges) {
      await db
        .update(webhook)
        .set({ ...changes, failedTries: failedTries && [...failedTries] })
        .where(eq(webhook.id, id));
    },

    async deleteWebhook(id: string) {
      await db.delete(webhook).where(eq(webhook.id, id));
    },
  };
}

/**
 * Notices may go to the address of this webhook, for all of its owner that name it. Returns how many.
 */
export async function confirmMail(db: Executor, webhookId: string, at: Date): Promise<number> {
  const [asked] = await db
    .select({ lane: lane(webhook), address: webhook.notifyEmail })
    .from(webhook)
    .where(and(eq(webhook.id, webhookId), isNull(webhook.endedAt)));
  if (asked === undefined || asked.address === null) return 0;
  const confirmed = await db
    .update(webhook)
    .set({ mailConfirmedAt: at })
    .where(inOrder(db, and(eq(lane(webhook), asked.lane), eq(webhook.notifyEmail, asked.address))))
    .returning({ id: webhook.id });
  return confirmed.length;
}

/** Whose webhooks are. */
function ownershipRows(db: Executor) {
  return {
    /** Webhooks of a registration follow its claim. */
    async adopt(registrationId: string, tokenId: bigint, epoch: number, owner: string) {
      await db
        .update(webhook)
        .set({ tokenId, epoch, owner: owner.toLowerCase() })
        .where(
          inOrder(db, and(eq(webhook.registrationId, registrationId), isNull(webhook.tokenId))),
        );
    },

    /** Ends webhooks of epochs before `epoch`. Resolves to how many. */
    end: (tokenId: bigint, epoch: number, at: Date) =>
      endWhere(db, and(eq(webhook.tokenId, tokenId), lt(webhook.epoch, epoch)), at),

    /** Ends webhooks of a registration whose claim is unfinished. Resolves to how many. */
    endUnclaimed: (registrationId: string, at: Date) =>
      endWhere(db, and(eq(webhook.registrationId, registrationId), isNull(webhook.tokenId)), at),
  };
}

/** Events, and the webhooks that they are sent to. */
function eventRows(db: Executor) {
  return {
    /** Writes the events whose keys are new. Resolves to the ids of those. */
    async insertEvents(events: readonly EventRecord[]): Promise<ReadonlySet<string>> {
      const of = columnsOf(events);
      const { rows } = await db.execute<{ id: string }>(sql`
        insert into ${webhookEvent} (id, key, event, data, occurred_at)
        select * from unnest(
          ${of(({ id }) => id, "uuid")},
          ${of(({ key }) => key, "text")},
          ${of(({ event }) => event, "text")},
          ${of(({ data }) => (data === null ? null : JSON.stringify(data)), "json")},
          ${of(({ occurredAt }) => occurredAt, "timestamptz")})
        on conflict do nothing
        returning id`);
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * For each event, the webhooks of its agent or its registration that subscribed to it, disabled
     * ones too.
     */
    async subscribers(events: readonly SubscribedEvent[]) {
      const found = await subscribersOf(db, events);
      return events.map(({ event, tokenId, registrationId }) =>
        found.filter(
          (record) =>
            record.events.includes(event) &&
            ((tokenId !== null && record.tokenId === tokenId) ||
              (registrationId !== null && record.registrationId === registrationId)),
        ),
      );
    },

    /** Those of these agents with a webhook that subscribed to the event, disabled ones too. */
    async receivers(event: EventName, tokenIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
      const rows = await db
        .select({ tokenId: webhook.tokenId })
        .from(webhook)
        .where(
          and(
            isOneOf(webhook.tokenId, tokenIds, "bigint"),
            isNull(webhook.endedAt),
            arrayContains(webhook.events, [event]),
          ),
        )
        .groupBy(webhook.tokenId);
      return new Set(rows.flatMap(({ tokenId }) => tokenId ?? []));
    },

    /** Webhooks that share a lane with this one and subscribed to the event, without itself. */
    async neighbours(event: EventName, record: WebhookRecord): Promise<readonly WebhookRecord[]> {
      return db
        .select()
        .from(webhook)
        .where(
          and(
            sql`${lane(webhook)} = ${laneOf(record)}`,
            ne(webhook.id, record.id),
            isNull(webhook.endedAt),
            arrayContains(webhook.events, [event]),
          ),
        )
        .orderBy(asc(webhook.createdAt), asc(webhook.id));
    },
  };
}

/** Webhooks of the agents and registrations of these events that subscribed to one of them. */
async function subscribersOf(
  db: Executor,
  events: readonly SubscribedEvent[],
): Promise<readonly WebhookRecord[]> {
  const tokenIds = [...new Set(events.flatMap(({ tokenId }) => tokenId ?? []))];
  const registrationIds = [
    ...new Set(events.flatMap(({ registrationId }) => registrationId ?? [])),
  ];
  const names = [...new Set(events.map(({ event }) => event))];
  return db
    .select()
    .from(webhook)
    .where(
      and(
        or(
          isOneOf(webhook.tokenId, tokenIds, "bigint"),
          isOneOf(webhook.registrationId, registrationIds, "uuid"),
        ),
        isNull(webhook.endedAt),
        arrayOverlaps(webhook.events, names),
      ),
    )
    .orderBy(asc(webhook.createdAt), asc(webhook.id));
}

/** Deliveries and their tries. */
function deliveryRows(db: Executor) {
  return {
    async insertDeliveries(deliveries: readonly NewDelivery[]) {
      if (deliveries.length === 0) return;
      const of = columnsOf(deliveries);
      await db.execute(sql`
        insert into ${webhookDelivery} (id, webhook_id, event_id, state, failures, sequence,
          next_try_at, locked_until, created_at, delivered_at, traceparent)
        select d.*, ${currentTrace()}::text from unnest(
          ${of(({ id }) => id, "uuid")},
          ${of(({ webhookId }) => webhookId, "uuid")},
          ${of(({ eventId }) => eventId, "uuid")},
          ${of(({ state }) => state, "text")},
          ${of(({ failures }) => failures, "smallint")},
          ${of(({ sequence }) => sequence, "integer")},
          ${of(({ nextTryAt }) => nextTryAt, "timestamptz")},
          ${of(({ lockedUntil }) => lockedUntil, "timestamptz")},
          ${of(({ createdAt }) => createdAt, "timestamptz")},
          ${of(({ deliveredAt }) => deliveredAt, "timestamptz")}) d`);
    },

    /** Those that exist, in any order. */
    async findDeliveries(ids: readonly string[]): Promise<readonly OpenDelivery[]> {
      return openDeliveries(db, isOneOf(webhookDelivery.id, ids, "uuid"));
    },

    /** Newest first. */
    async listDeliveries(webhookId: string, { limit, after }: CursorPage<DeliveryPosition>) {
      const isAfter = rowsAfter(after, "desc", (last) => [
        [webhookDelivery.createdAt, last.createdAt],
        [webhookDelivery.id, last.id],
      ]);
      const found = await openDeliveries(db, and(eq(webhookDelivery.webhookId, webhookId), isAfter))
        .orderBy(desc(webhookDelivery.createdAt), desc(webhookDelivery.id))
        .limit(limit + 1);
      const { entries: rows, next } = pageOf(found, limit, ({ delivery: { createdAt, id } }) => ({
        createdAt,
        id,
      }));
      const ids = rows.map(({ delivery }) => delivery.id);
      const tries =
        ids.length === 0
          ? []
          : await db
              .select()
              .from(webhookTry)
              .where(inArray(webhookTry.deliveryId, ids))
              .orderBy(asc(webhookTry.number));
      const entries: ListedDelivery[] = rows.map(({ delivery, event: { event } }) => ({
        delivery,
        event,
        tries: tries.filter(({ deliveryId }) => deliveryId === delivery.id),
      }));
      return { entries, next };
    },

    /** Gives the right back without a try. */
    async releaseDelivery(id: string, leaseId: string) {
      await db
        .update(webhookDelivery)
        .set({ leaseId: null, lockedUntil: null })
        .where(and(eq(webhookDelivery.id, id), eq(webhookDelivery.leaseId, leaseId)));
    },

    async insertTry(deliveryId: string, tried: TryRecord) {
      await db.insert(webhookTry).values({ deliveryId, ...tried });
    },
  };
}

/** Rights to try deliveries, many of them at once. */
function claimRows(db: Executor) {
  return {
    /**
     * Claims deliveries that are due, unclaimed and within their webhooks' concurrency, and resolves
     * to the leases of those. Call it within a transaction: it locks the webhooks' lanes, so that all
     * processes together respect the limits.
     */
    async claimDeliveries(
      wanted: readonly WantedDelivery[],
      { at, until }: DeliveryLease,
    ): Promise<ReadonlySet<string>> {
      const ids = wanted.map(({ webhookId }) => webhookId);
      const locked = await db
        .select({ id: webhook.id, lane: lane(webhook) })
        .from(webhook)
        .where(isOneOf(webhook.id, ids, "uuid"))
        .orderBy(asc(webhook.id))
        .for("no key update");
      const lanes = new Map(locked.map(({ id, lane }) => [id, lane]));
      const found = wanted.filter(({ webhookId }) => lanes.has(webhookId));
      if (found.length === 0) return new Set();
      await lockLanes(db, [...lanes.values()]);
      const of = columnsOf(found);
      // Places are counted by a statement of its own: it sees what others did before they gave the
      // lanes up.
      const { rows } = await db.execute<{ lease_id: string }>(sql`
        with wanted as (
          select * from unnest(
            ${of(({ id }) => id, "uuid")},
            ${of(({ leaseId }) => leaseId, "uuid")},
            ${of(({ webhookId }) => lanes.get(webhookId), "text")}
          ) with ordinality as w (id, lease_id, lane, place)
        ), due as (
          select w.*, p.webhook_id,
            row_number() over (partition by p.webhook_id order by w.place) as of_webhook
          from wanted w join ${webhookDelivery} p on p.id = w.id where ${isFree(at)}
        ), fitting as (
          select due.*, row_number() over (partition by due.lane order by due.place) as of_lane
          from due
          where due.of_webhook <= ${PLACES.webhook} - ${tried(sql`d.webhook_id = due.webhook_id`, at)}
        )
        update ${webhookDelivery} p set lease_id = f.lease_id, locked_until = ${until}
        from fitting f
        where p.id = f.id and ${isFree(at)}
          and f.of_lane <= ${PLACES.lane} - ${tried(inLane(sql`f.lane`), at)}
        returning p.lease_id`);
      return new Set(rows.map(({ lease_id }) => lease_id));
    },
  };
}

/** The deliveries that lanes have places for. */
function laneRows(db: Executor) {
  return {
    /**
     * Until the transaction's end, no other one looks for places in the lanes of these webhooks. Lock the
     * webhooks before, and all lanes at once: otherwise two transactions could wait for each other.
     */
    lockLanes: (webhooks: readonly WebhookRecord[]) => lockLanes(db, webhooks.map(laneOf)),

    /**
     * Due deliveries for which the lanes of these webhooks have places now. Within a transaction that
     * has locked the lanes.
     */
    async nextDeliveries(webhooks: readonly WebhookRecord[], at: Date) {
      const lanes = webhooks.map(laneOf);
      const { rows } = await db.execute<QueuedRow>(sql`
        select next.* from (select distinct lane from unnest(${listParameter(lanes, "text")}) as o (lane)) q
        cross join lateral (
          select due.* from ${webhook} w
          cross join lateral (${placeable(at, at)}) due
          where ${LANE_OF_W} = q.lane
          order by due.next_try_at, due.id
          limit greatest(0, ${PLACES.lane} - ${tried(inLane(sql`q.lane`), at)})
        ) next`);
      return rows.map(toQueued);
    },

    /**
     * Claims the next due deliveries in the lanes of these webhooks, at most one for each entry of the
     * list and as many as have places. Within a transaction that has locked the lanes.
     */
    async claimNext(
      webhooks: readonly WebhookRecord[],
      { at, until }: DeliveryLease,
    ): Promise<readonly ClaimedDelivery[]> {
      if (webhooks.length === 0) return [];
      const lanes = webhooks.map(laneOf);
      const { rows } = await db.execute<{ id: string; lease_id: string }>(sql`
        with next as (
          select due.id from (
            select lane, count(*) as wanted
            from unnest(${listParameter(lanes, "text")}) as o (lane) group by lane
          ) q cross join lateral (
            select due.id from ${webhook} w
            cross join lateral (${placeable(at, at)}) due
            where ${LANE_OF_W} = q.lane
            order by due.next_try_at, due.id
            limit least(q.wanted, greatest(0, ${PLACES.lane} - ${tried(inLane(sql`q.lane`), at)}))
          ) due
        )
        update ${webhookDelivery} p set lease_id = gen_random_uuid(), locked_until = ${until}
        from next where p.id = next.id and ${isFree(at)}
        returning p.id, p.lease_id`);
      if (rows.length === 0) return [];
      const leases = new Map(rows.map(({ id, lease_id }) => [id, lease_id]));
      const which = isOneOf(webhookDelivery.id, [...leases.keys()], "uuid");
      const found = await openDeliveries(db, which);
      return found.map((open) => ({ open, leaseId: leases.get(open.delivery.id) as string }));
    },
  };
}

/** Tries that have ended, many of them at once. */
function tryRows(db: Executor) {
  return {
    /**
     * Records tries and their outcomes, within a transaction that has locked their webhooks. Does
     * nothing for those whose lease is lost. Resolves to the leases of the rest.
     */
    async settleTries(settled: readonly SettledTry[]): Promise<ReadonlySet<string>> {
      if (settled.length === 0) return new Set();
      const of = columnsOf(settled);
      // Only the holder of a lease adds tries, in a transaction that has locked the webhook: the
      // count is not changed by others.
      const { rows } = await db.execute<{ lease_id: string }>(sql`
        with ended as (
          select * from unnest(
            ${of(({ id }) => id, "uuid")},
            ${of(({ leaseId }) => leaseId, "uuid")},
            ${of(({ outcome }) => outcome.state, "text")},
            ${of(({ outcome }) => outcome.failures, "smallint")},
            ${of(({ outcome }) => outcome.sequence, "integer")},
            ${of(({ outcome }) => outcome.nextTryAt, "timestamptz")},
            ${of(({ outcome }) => outcome.deliveredAt, "timestamptz")},
            ${of(({ tried }) => tried.startedAt, "timestamptz")},
            ${of(({ tried }) => tried.durationMs, "integer")},
            ${of(({ tried }) => tried.statusCode, "smallint")},
            ${of(({ tried }) => tried.error, "text")}
          ) as e (id, lease_id, state, failures, sequence, next_try_at, delivered_at, started_at,
            duration_ms, status_code, error)
        ), settled as (
          update ${webhookDelivery} p set state = e.state, failures = e.failures,
            sequence = e.sequence, next_try_at = e.next_try_at, delivered_at = e.delivered_at,
            lease_id = null, locked_until = null
          from ended e where p.id = e.id and p.lease_id = e.lease_id
          returning e.*
        ), recorded as (
          insert into ${webhookTry} (delivery_id, number, started_at, duration_ms, status_code, error)
          select s.id, (select count(*) + 1 from ${webhookTry} t where t.delivery_id = s.id),
            s.started_at, s.duration_ms, s.status_code, s.error
          from settled s
        )
        select lease_id from settled`);
      return new Set(rows.map(({ lease_id }) => lease_id));
    },
  };
}

/** Deliveries that are set aside, or sent again. */
function retryRows(db: Executor) {
  return {
    /** From `pending`, unless a try is running. */
    async setAside(id: string, state: "paused" | "cancelled", at: Date) {
      await db
        .update(webhookDelivery)
        .set({ state, nextTryAt: at })
        .where(
          and(
            eq(webhookDelivery.id, id),
            inArray(webhookDelivery.state, ["pending", "paused"]),
            unlocked(at),
          ),
        );
    },

    /**
     * Makes deliveries pending and due, each with its next sequence, and resolves to those that it
     * found.
     */
    async revive(which: RevivedDeliveries, at: Date): Promise<readonly QueuedDelivery[]> {
      const paused = eq(webhookDelivery.state, "paused");
      const where =
        "deliveryId" in which
          ? eq(webhookDelivery.id, which.deliveryId)
          : "pausedDelivery" in which
            ? and(eq(webhookDelivery.id, which.pausedDelivery), paused)
            : "pausedOfWebhook" in which
              ? and(eq(webhookDelivery.webhookId, which.pausedOfWebhook), paused)
              : and(
                  inArray(
                    webhookDelivery.id,
                    db
                      .select({ id: webhookDelivery.id })
                      .from(webhookDelivery)
                      .innerJoin(webhookEvent, eq(webhookEvent.id, webhookDelivery.eventId))
                      .where(undelivered(which.undelivered))
                      .orderBy(asc(webhookEvent.occurredAt), asc(webhookDelivery.id))
                      .limit(which.limit),
                  ),
                  // Checked again once a transaction that changes the row has ended.
                  inArray(webhookDelivery.state, UNDELIVERED_STATES),
                );
      return db
        .update(webhookDelivery)
        .set({
          state: "pending",
          failures: 0,
          sequence: sql`${webhookDelivery.sequence} + 1`,
          nextTryAt: at,
          deliveredAt: null,
        })
        .where(where)
        .returning(QUEUED);
    },

    /** Counts what `revive` finds for a range. */
    async countUndelivered(range: UndeliveredRange) {
      const [row] = await db
        .select({ count: count() })
        .from(webhookDelivery)
        .innerJoin(webhookEvent, eq(webhookEvent.id, webhookDelivery.eventId))
        .where(undelivered(range));
      return row?.count ?? 0;
    },
  };
}

/** The work of the sweep. */
function sweepRows(db: Executor) {
  return {
    /**
     * Pending, due at `before`, and not being tried at `at`: their jobs were lost. Only as many as
     * have places, shared fairly between lanes: a try that ends sends the jobs of the next ones in
     * its lane.
     */
    async overdue(before: Date, at: Date, limit: number) {
      // First the oldest one of every lane, then the second one: an owner with a long backlog
      // delays no other owner.
      const { rows } = await db.execute<QueuedRow>(sql`
        select late.id, late.sequence, late.next_try_at from (
          select due.*,
            row_number() over (partition by ${LANE_OF_W} order by due.next_try_at, due.id) as place
          from ${webhook} w
          cross join lateral (${placeable(before, at)}) due
          where w.id in (select o.webhook_id from ${webhookDelivery} o
            where o.state = 'pending' and o.next_try_at <= ${before})
        ) late
        where late.place <= ${PLACES.lane}
        order by late.place, late.next_try_at, late.id
        limit ${limit}`);
      return rows.map(toQueued);
    },

    /** Paused deliveries of enabled webhooks, the least recently checked first. */
    async paused(limit: number): Promise<readonly OpenDelivery[]> {
      const isPaused = and(eq(webhookDelivery.state, "paused"), eq(webhook.enabled, true));
      return openDeliveries(db, isPaused).orderBy(asc(webhookDelivery.nextTryAt)).limit(limit);
    },

    /** Marks it as checked and still paused. */
    async touchPaused(id: string, at: Date) {
      await db
        .update(webhookDelivery)
        .set({ nextTryAt: at })
        .where(and(eq(webhookDelivery.id, id), eq(webhookDelivery.state, "paused")));
    },

    /**
     * Ends paused deliveries older than `before`: `missed` for disabled webhooks, `cancelled` for
     * others.
     */
    async expirePaused(before: Date) {
      const isEnabled = sql`(select w.enabled from ${webhook} w where w.id = ${webhookDelivery.webhookId})`;
      await db
        .update(webhookDelivery)
        .set({ state: sql`case when ${isEnabled} then 'cancelled' else 'missed' end` })
        .where(and(eq(webhookDelivery.state, "paused"), lt(webhookDelivery.createdAt, before)));
    },

    /**
     * Removes events from before `before` that no delivery waits for, and webhooks that ended before
     * it.
     */
    async forget(before: Date) {
      await db.delete(webhookEvent).where(
        and(
          lt(webhookEvent.occurredAt, before),
          sql`not exists (select 1 from ${webhookDelivery} d
            where d.event_id = ${webhookEvent.id} and d.state in ('pending', 'paused'))`,
        ),
      );
      await db.delete(webhook).where(lt(webhook.endedAt, before));
    },
  };
}

/** How many deliveries `d` of this kind are being tried. */
const tried = (which: SQL, at: Date) =>
  sql`(select count(*) from ${webhookDelivery} d where ${which} and d.locked_until > ${at})`;

const inLane = (of: SQL) =>
  sql`d.webhook_id in (select l.id from ${webhook} l
    where coalesce(l.owner, l.registration_id::text, l.id::text) = ${of})`;

/** Whether the delivery row `p` may be claimed. */
const isFree = (at: Date) => sql`p.state = 'pending' and p.next_try_at <= ${at}
  and (p.locked_until is null or p.locked_until <= ${at})`;

/** The lane of the webhook row `w`. */
const LANE_OF_W = sql`coalesce(w.owner, w.registration_id::text, w.id::text)`;

/**
 * Deliveries of the webhook row `w` that were due at `dueAt`, the oldest first, as many as the
 * webhook has places for at `at`.
 */
const placeable = (dueAt: Date, at: Date) => sql`
  select p.id, p.sequence, p.next_try_at from ${webhookDelivery} p
  where p.webhook_id = w.id and p.state = 'pending' and p.next_try_at <= ${dueAt}
    and (p.locked_until is null or p.locked_until <= ${at})
  order by p.next_try_at, p.id
  limit greatest(0, ${PLACES.webhook} - ${tried(sql`d.webhook_id = w.id`, at)})`;

type QueuedRow = {
  readonly id: string;
  readonly sequence: number;
  readonly next_try_at: string;
};

const toQueued = ({ id, sequence, next_try_at }: QueuedRow): QueuedDelivery => ({
  id,
  sequence,
  nextTryAt: new Date(next_try_at),
});

const laneOf = ({ owner, registrationId, id }: WebhookRecord) => owner ?? registrationId ?? id;

const UNDELIVERED_STATES: DeliveryState[] = ["failed", "paused", "missed", "cancelled"];

const undelivered = ({ webhookId, since, until }: UndeliveredRange) =>
  and(
    eq(webhookDelivery.webhookId, webhookId),
    inArray(webhookDelivery.state, UNDELIVERED_STATES),
    gte(webhookEvent.occurredAt, since),
    lt(webhookEvent.occurredAt, until),
    isNotNull(webhookEvent.data),
    ne(webhookEvent.event, TEST_EVENT),
  );

const unlocked = (at: Date) =>
  or(isNull(webhookDelivery.lockedUntil), lte(webhookDelivery.lockedUntil, at));

function belongsTo(subject: WebhookSubject): SQL | undefined {
  return "tokenId" in subject
    ? and(eq(webhook.tokenId, subject.tokenId), eq(webhook.epoch, subject.epoch))
    : eq(webhook.registrationId, subject.registrationId);
}
