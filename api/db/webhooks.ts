import {
  and,
  arrayContains,
  asc,
  desc,
  eq,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { EventName } from "../services/events.ts";
import type {
  DeliveryRecord,
  EventRecord,
  OpenDelivery,
  TryError,
  TryRecord,
  WebhookRecord,
  WebhookRows,
  WebhookStore,
  WebhookSubject,
} from "../services/webhook-store.ts";
import type { Database, Executor } from "./connect.ts";
import { webhook, webhookDelivery, webhookEvent, webhookTry } from "./schema-webhooks.ts";

/** Webhooks and what is on its way to them, in Postgres. */
export function createWebhookStore(db: Database): WebhookStore<Executor> {
  return {
    rows: webhookRows(db),
    within: webhookRows,
    transaction: (work) => db.transaction((tx) => work(tx, webhookRows(tx))),
  };
}

const QUEUED = {
  id: webhookDelivery.id,
  sequence: webhookDelivery.sequence,
  nextTryAt: webhookDelivery.nextTryAt,
};

function webhookRows(db: Executor): WebhookRows {
  const open = (where: SQL | undefined) =>
    db
      .select({ delivery: webhookDelivery, event: webhookEvent, webhook })
      .from(webhookDelivery)
      .innerJoin(webhookEvent, eq(webhookEvent.id, webhookDelivery.eventId))
      .innerJoin(webhook, eq(webhook.id, webhookDelivery.webhookId))
      .where(where);

  return {
    async lockSubject(subject) {
      const name = "tokenId" in subject ? `token ${subject.tokenId}` : subject.registrationId;
      await db.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${name}`}, 0))`,
      );
    },

    async listWebhooks(subject) {
      const rows = await db
        .select()
        .from(webhook)
        .where(and(isNull(webhook.endedAt), belongsTo(subject)))
        .orderBy(asc(webhook.createdAt), asc(webhook.id));
      return rows.map(toWebhook);
    },

    async insertWebhook(record) {
      await db
        .insert(webhook)
        .values({ ...record, events: [...record.events] })
        .onConflictDoNothing();
    },

    async findWebhook(id) {
      const [row] = await db.select().from(webhook).where(eq(webhook.id, id));
      return row === undefined ? null : toWebhook(row);
    },

    async updateWebhook(id, { events, ...changes }) {
      await db
        .update(webhook)
        .set({ ...changes, ...(events === undefined ? {} : { events: [...events] }) })
        .where(eq(webhook.id, id));
    },

    async disableFailing(id, at) {
      const disabled = await db
        .update(webhook)
        .set({ enabled: false, disabledReason: "failures", disabledAt: at })
        .where(and(eq(webhook.id, id), eq(webhook.enabled, true)))
        .returning({ id: webhook.id });
      return disabled.length === 1;
    },

    async deleteWebhook(id) {
      const deleted = await db
        .delete(webhook)
        .where(eq(webhook.id, id))
        .returning({ id: webhook.id });
      return deleted.length === 1;
    },

    async adopt(registrationId, tokenId, epoch) {
      await db
        .update(webhook)
        .set({ tokenId, epoch })
        .where(and(eq(webhook.registrationId, registrationId), isNull(webhook.tokenId)));
    },

    async end(tokenId, epoch, at) {
      await db
        .update(webhook)
        .set({ endedAt: at })
        .where(
          and(eq(webhook.tokenId, tokenId), lt(webhook.epoch, epoch), isNull(webhook.endedAt)),
        );
    },

    async insertEvent(event) {
      const inserted = await db
        .insert(webhookEvent)
        .values(event)
        .onConflictDoNothing()
        .returning({ id: webhookEvent.id });
      return inserted.length === 1;
    },

    async subscribers(event, of) {
      const mine = [
        ...(of.tokenId === null ? [] : [eq(webhook.tokenId, of.tokenId)]),
        ...(of.registrationId === null ? [] : [eq(webhook.registrationId, of.registrationId)]),
      ];
      if (mine.length === 0) return [];
      const rows = await db
        .select()
        .from(webhook)
        .where(
          and(
            or(...mine),
            eq(webhook.enabled, true),
            isNull(webhook.endedAt),
            arrayContains(webhook.events, [event]),
          ),
        )
        .orderBy(asc(webhook.createdAt), asc(webhook.id));
      return rows.map(toWebhook);
    },

    async insertDelivery(eventId, delivery) {
      await db.insert(webhookDelivery).values({ ...delivery, eventId });
    },

    async findDelivery(id) {
      const [row] = await open(eq(webhookDelivery.id, id));
      return row === undefined ? null : toOpen(row);
    },

    async listDeliveries(webhookId, { limit, before }) {
      const earlier =
        before === null
          ? undefined
          : sql`(${webhookDelivery.createdAt}, ${webhookDelivery.id}) < (
              select d.created_at, d.id from ${webhookDelivery} d
              where d.id = ${before} and d.webhook_id = ${webhookId})`;
      const rows = await open(and(eq(webhookDelivery.webhookId, webhookId), earlier))
        .orderBy(desc(webhookDelivery.createdAt), desc(webhookDelivery.id))
        .limit(limit);
      const ids = rows.map(({ delivery }) => delivery.id);
      const tries =
        ids.length === 0
          ? []
          : await db
              .select()
              .from(webhookTry)
              .where(inArray(webhookTry.deliveryId, ids))
              .orderBy(asc(webhookTry.number));
      return rows.map((row) => ({
        delivery: toDelivery(row.delivery),
        event: row.event.event as EventRecord["event"],
        tries: tries.filter(({ deliveryId }) => deliveryId === row.delivery.id).map(toTry),
      }));
    },

    async claimDelivery(id, { leaseId, at, until }) {
      const claimed = await db
        .update(webhookDelivery)
        .set({ leaseId, lockedUntil: until })
        .where(
          and(
            eq(webhookDelivery.id, id),
            eq(webhookDelivery.state, "pending"),
            lte(webhookDelivery.nextTryAt, at),
            unlocked(at),
          ),
        )
        .returning({ id: webhookDelivery.id });
      return claimed.length === 1;
    },

    async releaseDelivery(id, leaseId) {
      await db
        .update(webhookDelivery)
        .set({ leaseId: null, lockedUntil: null })
        .where(and(eq(webhookDelivery.id, id), eq(webhookDelivery.leaseId, leaseId)));
    },

    async settleTry(id, leaseId, tried, outcome) {
      const settled = await db
        .update(webhookDelivery)
        .set({ ...outcome, leaseId: null, lockedUntil: null })
        .where(and(eq(webhookDelivery.id, id), eq(webhookDelivery.leaseId, leaseId)))
        .returning({ id: webhookDelivery.id });
      if (settled.length === 0) return false;
      // The row is locked by the update, so that nobody else counts at the same time.
      const number = sql<number>`(select count(*) + 1 from ${webhookTry} t where t.delivery_id = ${id})`;
      await db.insert(webhookTry).values({ deliveryId: id, ...tried, number });
      return true;
    },

    async insertTry(deliveryId, tried) {
      await db.insert(webhookTry).values({ deliveryId, ...tried });
    },

    async setAside(id, state, at) {
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

    async revive(which, at) {
      const paused = eq(webhookDelivery.state, "paused");
      const where =
        "deliveryId" in which
          ? eq(webhookDelivery.id, which.deliveryId)
          : "pausedDelivery" in which
            ? and(eq(webhookDelivery.id, which.pausedDelivery), paused)
            : and(eq(webhookDelivery.webhookId, which.pausedOfWebhook), paused);
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

    overdue: (before, at, limit) =>
      db
        .select(QUEUED)
        .from(webhookDelivery)
        .where(
          and(
            eq(webhookDelivery.state, "pending"),
            lt(webhookDelivery.nextTryAt, before),
            unlocked(at),
          ),
        )
        .orderBy(asc(webhookDelivery.nextTryAt))
        .limit(limit),

    async paused(limit) {
      const rows = await open(and(eq(webhookDelivery.state, "paused"), eq(webhook.enabled, true)))
        .orderBy(asc(webhookDelivery.nextTryAt))
        .limit(limit);
      return rows.map(toOpen);
    },

    async touchPaused(id, at) {
      await db
        .update(webhookDelivery)
        .set({ nextTryAt: at })
        .where(and(eq(webhookDelivery.id, id), eq(webhookDelivery.state, "paused")));
    },

    async cancelPaused(before) {
      await db
        .update(webhookDelivery)
        .set({ state: "cancelled" })
        .where(and(eq(webhookDelivery.state, "paused"), lt(webhookDelivery.createdAt, before)));
    },

    async forget(before) {
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

const unlocked = (at: Date) =>
  or(isNull(webhookDelivery.lockedUntil), lte(webhookDelivery.lockedUntil, at));

function belongsTo(subject: WebhookSubject): SQL | undefined {
  return "tokenId" in subject
    ? and(eq(webhook.tokenId, subject.tokenId), eq(webhook.epoch, subject.epoch))
    : eq(webhook.registrationId, subject.registrationId);
}

type OpenRow = {
  readonly delivery: typeof webhookDelivery.$inferSelect;
  readonly event: typeof webhookEvent.$inferSelect;
  readonly webhook: typeof webhook.$inferSelect;
};

function toWebhook(row: OpenRow["webhook"]): WebhookRecord {
  return { ...row, events: row.events as EventName[] };
}

function toDelivery({ eventId: _, leaseId: __, ...row }: OpenRow["delivery"]): DeliveryRecord {
  return row;
}

function toTry({ deliveryId: _, ...row }: typeof webhookTry.$inferSelect): TryRecord {
  return { ...row, error: row.error as TryError | null };
}

function toOpen(row: OpenRow): OpenDelivery {
  return {
    delivery: toDelivery(row.delivery),
    event: {
      ...row.event,
      event: row.event.event as EventRecord["event"],
      data: row.event.data as EventRecord["data"],
    },
    webhook: toWebhook(row.webhook),
  };
}
