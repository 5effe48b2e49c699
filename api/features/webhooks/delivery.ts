import { randomUUID } from "node:crypto";
import { inBatches, readInBatches } from "../../kernel/batches.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobHandler, JobQueue } from "../../platform/jobs/ports.ts";
import type { Mailer } from "../../platform/mail/ports.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import type { HoldingReads } from "../../soul/index-reads.ts";
import { checkEventData } from "./event-payloads.ts";
import { eventKey, newDelivery } from "./event-sink.ts";
import type { AgentEvent } from "./events.ts";
import { createWebhookNotices } from "./failure-handling.ts";
import {
  postponeDeliveries,
  sendDeliveries,
  sendDelivery,
  WEBHOOK_JOBS,
  withdrawDeliveries,
} from "./job-names.ts";
import { mayBeSent } from "./may-be-sent.ts";
import type {
  ClaimedDelivery,
  EventRecord,
  OpenDelivery,
  TryError,
  TryOutcome,
  WantedDelivery,
  WebhookRecord,
  WebhookRows,
  WebhookStore,
} from "./ports.ts";
import { EVENTS_KEPT_MS } from "./ports.ts";
import type { WebhookSecrets } from "./secrets.ts";
import { createTries, outcomeOf, problemOf, type Tried } from "./tries.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Longer than the longest request: a try without an end by then died with its process. */
export const LEASE_MS = 30_000;

/** A job this late was lost, or its process died unnoticed. */
const OVERDUE_MS = MINUTE_MS;
/**
 * A job tries at most so many deliveries, and begins none after this time: other owners' deliveries
 * wait for its place, and a job may last 60 seconds.
 */
const GOES_ON = { tries: 16, ms: 5_000 } as const;

const PAUSED_KEPT_MS = 7 * DAY_MS;
const SWEEP_LIMIT = 500;

export interface WebhookDeliveryOptions {
  readonly store: WebhookStore;
  readonly queue: JobQueue;
  readonly http: OutboundHttp;
  readonly secrets: WebhookSecrets;
  readonly agents: HoldingReads;
  /** Null when the operator has not configured any. */
  readonly mailer: Mailer | null;
  readonly clock: () => Date;
  /** Called with the outcome of each try. */
  readonly observe?: (outcome: TryError | "delivered") => void;
  /** Default: `Math.random`. */
  readonly random?: () => number;
}

/** The queue's work for webhooks. */
export interface WebhookDelivery {
  /** By the names of `WEBHOOK_JOBS`. Each may run twice, at once or after a crash. */
  readonly handlers: Readonly<
    Record<(typeof WEBHOOK_JOBS)["deliver" | "tellOwner" | "sweep"], JobHandler>
  >;
  /**
   * Sends an event with private values, once, from memory, to all subscribers at the same time.
   * Nothing of its data is stored, and it is not retried.
   *
   * @param epoch The agent's on chain: only webhooks of this epoch are sent to.
   * @throws EventDataError
   */
  sendOnce(event: AgentEvent, epoch: number): Promise<SentOnce>;
}

/** How an event ended that was sent from memory. */
export interface SentOnce {
  /** Webhooks that accepted it. */
  readonly accepted: number;
  /** A sentence about why no webhook accepted it; null when one did. */
  readonly problem: string | null;
}

/** A try under its lease, and what follows for its delivery. */
interface EndedTry {
  readonly open: OpenDelivery;
  readonly leaseId: string;
  readonly tried: Tried;
  readonly outcome: TryOutcome;
  /** Whether it was tried by the job of another delivery. */
  readonly isNext: boolean;
  /** Whether its job goes on with another delivery. */
  readonly goesOn: boolean;
}

/**
 * Delivers events: at least once, under one id each, one try at a time, and only as many at once as
 * `PLACES` allows.
 * A delivery without a free place gives its job up. A job whose try ends claims the next due delivery
 * in its lane, in the transaction that frees the place, and tries it. The claimed one's own job is
 * postponed until its lease expires, and withdrawn when the try has ended. After a few tries a job
 * sends the jobs of the next ones instead, so that other lanes get its place. The sweep sends the jobs
 * for deliveries whose jobs were lost.
 * Deliveries that are found, claimed or settled at the same time share their statements.
 */
export function createWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  const { store, queue, agents, clock, random = Math.random } = options;
  const { rows } = store;
  const notices = createWebhookNotices(options);
  const { tryOnce } = createTries(options);

  const find = readInBatches<string, OpenDelivery | null>(
    async (ids) => {
      const found = await rows.findDeliveries(ids);
      const byId = new Map(found.map((open) => [open.delivery.id, open]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    () => false,
  );

  /** Resolves to whether the delivery may be tried now. */
  const claim = inBatches<WantedDelivery, boolean>((wanted) =>
    store.transaction(async (tx, own) => {
      const at = clock();
      const until = new Date(at.getTime() + LEASE_MS);
      const claimed = await own.claimDeliveries(wanted, { at, until });
      const refused = wanted.filter(({ leaseId }) => !claimed.has(leaseId));
      if (refused.length > 0) {
        const current = await own.findDeliveries(refused.map(({ id }) => id));
        // Other workers try them now. If such a worker dies, this job continues.
        const running = current.flatMap(({ delivery }) => {
          const { state, lockedUntil } = delivery;
          if (state !== "pending" || lockedUntil === null || lockedUntil <= at) return [];
          return [{ ...delivery, nextTryAt: lockedUntil }];
        });
        await sendDeliveries(queue, tx, running);
      }
      return wanted.map(({ leaseId }) => claimed.has(leaseId));
    }),
  );

  /**
   * Resolves to the delivery to go on with; null for none. A settled try finds no lease when it is
   * repeated, so that each may be settled alone.
   */
  const settle = readInBatches<EndedTry, ClaimedDelivery | null>(settleAll, () => true);

  async function deliver(deliveryId: string, signal: AbortSignal): Promise<void> {
    const open = await find(deliveryId);
    if (open?.delivery.state !== "pending") return;
    const at = clock();
    if (open.delivery.nextTryAt > at) return sendAgain(open, open.delivery.nextTryAt);

    const verdict = await mayBeSent(agents, open.webhook, open.event.event);
    if (verdict !== "send") {
      return store.transaction(async (tx, own) => {
        const webhooks = await own.lockWebhooks([open.webhook.id]);
        await own.setAside(deliveryId, verdict === "pause" ? "paused" : "cancelled", at);
        await own.lockLanes(webhooks);
        await sendNext(tx, own, webhooks, at);
      });
    }
    const leaseId = randomUUID();
    if (!(await claim({ id: deliveryId, webhookId: open.webhook.id, leaseId }))) return;

    let tries = 0;
    const goesOn = () => {
      tries += 1;
      return tries < GOES_ON.tries && clock().getTime() < at.getTime() + GOES_ON.ms;
    };
    let next = await attempt({ open, leaseId }, false, signal, goesOn);
    while (next !== null) next = await attemptNext(next, signal, goesOn);
  }

  /** Tries a delivery, and resolves to one that this job has claimed to go on with. */
  async function attempt(
    { open, leaseId }: ClaimedDelivery,
    isNext: boolean,
    signal: AbortSignal,
    goesOn: () => boolean,
  ): Promise<ClaimedDelivery | null> {
    let tried: Tried;
    try {
      tried = await tryOnce(open, signal);
    } catch (error) {
      // Not the receiver's fault, and not a try of its budget.
      await rows.releaseDelivery(open.delivery.id, leaseId);
      throw error;
    }
    const outcome = outcomeOf(open, tried, clock(), random);
    const willGoOn = !signal.aborted && goesOn();
    return settle({ open, leaseId, tried, outcome, isNext, goesOn: willGoOn });
  }

  /**
   * As {@link attempt}, of a delivery whose own job was postponed. When it is not tried, that job runs
   * at once, and finds and reports the reason.
   */
  async function attemptNext(
    claimed: ClaimedDelivery,
    signal: AbortSignal,
    goesOn: () => boolean,
  ): Promise<ClaimedDelivery | null> {
    const { delivery, webhook, event } = claimed.open;
    try {
      if ((await mayBeSent(agents, webhook, event.event)) === "send") {
        return await attempt(claimed, true, signal, goesOn);
      }
    } catch {
      // As for one that may not be sent.
    }
    await store.transaction(async (tx, own) => {
      await own.releaseDelivery(delivery.id, claimed.leaseId);
      await withdrawDeliveries(queue, tx, [delivery]);
      await sendDelivery(queue, tx, delivery);
    });
    return null;
  }

  /** The same job, later: this one was early. */
  async function sendAgain({ delivery }: OpenDelivery, nextTryAt: Date): Promise<void> {
    await store.transaction((tx) => sendDelivery(queue, tx, { ...delivery, nextTryAt }));
  }

  /** Sends the jobs for places that are free now, in lanes that the transaction has locked. */
  async function sendNext(
    tx: Transaction,
    own: WebhookRows,
    webhooks: readonly WebhookRecord[],
    at: Date,
  ): Promise<void> {
    if (webhooks.length === 0) return;
    await sendDeliveries(queue, tx, await own.nextDeliveries(webhooks, at));
  }

  /** The tries, their consequences and the jobs of those, in one transaction. */
  async function settleAll(
    ended: readonly EndedTry[],
  ): Promise<readonly (ClaimedDelivery | null)[]> {
    return store.transaction(async (tx, own) => {
      const locked = await own.lockWebhooks(ended.map(({ open }) => open.webhook.id));
      const webhooks = new Map(locked.map((webhook) => [webhook.id, webhook]));
      const settled = await own.settleTries(
        ended
          .filter(({ open }) => webhooks.has(open.webhook.id))
          .map(({ open, ...end }) => ({ ...end, id: open.delivery.id })),
      );
      // Where a lease has expired, another worker has the delivery, and tries it again under the
      // same id.
      const effective = ended.filter(({ leaseId }) => settled.has(leaseId));
      await withdrawDeliveries(
        queue,
        tx,
        effective.filter(({ isNext }) => isNext).map(({ open }) => open.delivery),
      );
      await sendDeliveries(
        queue,
        tx,
        effective
          .filter(({ outcome }) => outcome.state === "pending")
          .map(({ open, outcome }) => ({ ...outcome, id: open.delivery.id })),
      );
      for (const end of effective) {
        const webhook = webhooks.get(end.open.webhook.id);
        // A second try of the same webhook continues what the first one has counted.
        if (webhook) webhooks.set(webhook.id, await follow(tx, own, webhook, end));
      }
      const goesOn = new Set(effective.filter((end) => end.goesOn));
      const webhookOf = ({ open }: EndedTry) => webhooks.get(open.webhook.id) ?? [];
      await own.lockLanes(effective.flatMap(webhookOf));
      const at = clock();
      const until = new Date(at.getTime() + LEASE_MS);
      const claimed = await own.claimNext([...goesOn].flatMap(webhookOf), { at, until });
      // Their own jobs wait for the case that this process dies.
      await postponeDeliveries(
        queue,
        tx,
        claimed.map(({ open }) => open.delivery),
        until,
      );
      const over = effective.filter((end) => !goesOn.has(end));
      await sendNext(tx, own, over.flatMap(webhookOf), at);
      // It does not matter which of the jobs goes on with which.
      const left = claimed.values();
      return ended.map((end) => (goesOn.has(end) ? (left.next().value ?? null) : null));
    });
  }

  /** The consequences of a try for its webhook. */
  function follow(
    tx: Transaction,
    own: WebhookRows,
    webhook: WebhookRecord,
    { open, tried, outcome }: EndedTry,
  ): Promise<WebhookRecord> {
    return notices.afterTry(tx, own, webhook, open.event.event, {
      deliveryId: open.delivery.id,
      startedAt: tried.startedAt,
      succeeded: tried.error === null,
      isLast: outcome.state === "failed",
      statusCode: tried.statusCode,
      error: tried.error,
    });
  }

  /** Sends an event whose data is not stored: one try. Resolves to the problem; null for none. */
  async function sendUnstored(webhook: WebhookRecord, event: EventRecord): Promise<string | null> {
    if ((await mayBeSent(agents, webhook, event.event)) !== "send") {
      return "The webhook is disabled, or its agent is suspended.";
    }
    const delivery = newDelivery(webhook.id, event.occurredAt);
    const tried = await tryOnce({ delivery, event, webhook });
    const succeeded = tried.error === null;
    await store.transaction(async (tx, own) => {
      const current = await own.lockWebhook(webhook.id);
      if (current === null) return;
      const ended = {
        ...delivery,
        eventId: event.id,
        state: succeeded ? ("delivered" as const) : ("failed" as const),
        failures: succeeded ? 0 : 1,
        deliveredAt: succeeded ? clock() : null,
      };
      await own.insertDeliveries([ended]);
      await own.insertTry(delivery.id, { ...tried, number: 1 });
      await notices.afterTry(tx, own, current, event.event, {
        deliveryId: delivery.id,
        startedAt: tried.startedAt,
        succeeded,
        // It has no retries to use up.
        isLast: false,
        statusCode: tried.statusCode,
        error: tried.error,
      });
    });
    return succeeded ? null : problemOf(tried);
  }

  async function sweep(): Promise<void> {
    const at = clock();
    const ago = (ms: number) => new Date(at.getTime() - ms);
    for (const overdue of await rows.overdue(ago(OVERDUE_MS), at, SWEEP_LIMIT)) {
      await store.transaction((tx) => sendDelivery(queue, tx, overdue));
    }
    await rows.expirePaused(ago(PAUSED_KEPT_MS));
    for (const { delivery, event, webhook } of await rows.paused(SWEEP_LIMIT)) {
      const verdict = await mayBeSent(agents, webhook, event.event);
      if (verdict === "cancel") await rows.setAside(delivery.id, "cancelled", at);
      else if (verdict === "pause") await rows.touchPaused(delivery.id, at);
      else {
        await store.transaction(async (tx, own) => {
          for (const revived of await own.revive({ pausedDelivery: delivery.id }, at)) {
            await sendDelivery(queue, tx, revived);
          }
        });
      }
    }
    await rows.forget(ago(EVENTS_KEPT_MS));
  }

  return {
    handlers: {
      [WEBHOOK_JOBS.deliver]: (data, signal) => deliver(String(data.deliveryId), signal),
      [WEBHOOK_JOBS.tellOwner]: notices.mailOwner,
      [WEBHOOK_JOBS.sweep]: () => sweep(),
    },

    async sendOnce(event, epoch) {
      const at = clock();
      const data = checkEventData(event.event, event.data);
      // Stored without its data: the event's existence, and how each try ended.
      const record: EventRecord = {
        id: randomUUID(),
        key: eventKey(event),
        event: event.event,
        data: null,
        occurredAt: at,
      };
      if (!(await rows.insertEvents([record])).has(record.id)) {
        return { accepted: 0, problem: "It was sent before." };
      }
      const [subscribers = []] = await rows.subscribers([event]);
      const problems = await Promise.all(
        subscribers
          // The index may be behind: a webhook of an earlier epoch may be another owner's.
          .filter((webhook) => webhook.epoch === epoch)
          .map((webhook) => sendUnstored(webhook, { ...record, data })),
      );
      const accepted = problems.filter((problem) => problem === null).length;
      const [first = `The agent has no webhook for ${event.event}.`] = problems;
      return { accepted, problem: accepted > 0 ? null : first };
    },
  };
}
