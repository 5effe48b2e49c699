import { randomUUID } from "node:crypto";
import { inBatches, readInBatches } from "../../kernel/batches.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { HoldingReads } from "../../soul/index-reads.ts";
import { checkEventData } from "./event-payloads.ts";
import { eventKey } from "./event-sink.store.ts";
import type { AgentEvent, SentOnce } from "./events.ts";
import {
  postponeDeliveries,
  sendDeliveries,
  sendDelivery,
  WEBHOOK_JOBS,
  withdrawDeliveries,
} from "./job-names.ts";
import { mayBeSent } from "./may-be-sent.ts";
import { afterTry, mailOwner, type Notifying } from "./notices.jobs.ts";
import {
  type ClaimedDelivery,
  EVENTS_KEPT_MS,
  type EventRecord,
  newDelivery,
  type OpenDelivery,
  type TryOutcome,
  type WebhookRecord,
} from "./records.ts";
import { outcomeOf, problemOf, type Sender, type Tried, tryOnce } from "./tries.ts";
import type { WantedDelivery, WebhookRows } from "./webhooks.store.ts";

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

type Delivering = Notifying &
  Sender & {
    readonly agents: HoldingReads;
    /** Default: `Math.random`. */
    readonly random?: () => number;
  };

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
export function createWebhookDelivery(delivering: Delivering) {
  const together = batched(delivering);
  const run: JobHandler = ({ deliveryId }, signal) =>
    deliver(delivering, together, String(deliveryId), signal);
  const tellOwner: JobHandler = (data) => mailOwner(delivering, data);
  const sweepAll: JobHandler = () => sweep(delivering);
  return {
    /** By the names of `WEBHOOK_JOBS`. Each may run twice, at once or after a crash. */
    handlers: {
      [WEBHOOK_JOBS.deliver]: run,
      [WEBHOOK_JOBS.tellOwner]: tellOwner,
      [WEBHOOK_JOBS.sweep]: sweepAll,
    },
    sendOnce: (event: AgentEvent, epoch: number) => sendOnce(delivering, event, epoch),
  };
}

type Together = ReturnType<typeof batched>;

/** What deliveries that are worked on at the same time do with one statement. */
function batched(delivering: Delivering) {
  const { rows } = delivering.store;
  return {
    find: readInBatches<string, OpenDelivery | null>(
      async (ids) => {
        const found = await rows.findDeliveries(ids);
        const byId = new Map(found.map((open) => [open.delivery.id, open]));
        return ids.map((id) => byId.get(id) ?? null);
      },
      () => false,
    ),

    /** Resolves to whether the delivery may be tried now. */
    claim: inBatches<WantedDelivery, boolean>((wanted) => claimAll(delivering, wanted)),

    /**
     * Resolves to the delivery to go on with; null for none. A settled try finds no lease when it is
     * repeated, so that each may be settled alone.
     */
    settle: readInBatches<EndedTry, ClaimedDelivery | null>(
      (ended) => settleAll(delivering, ended),
      () => true,
    ),
  };
}

async function claimAll(
  { store, queue, clock }: Delivering,
  wanted: readonly WantedDelivery[],
): Promise<readonly boolean[]> {
  return store.transaction(async (tx, own) => {
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
  });
}

async function deliver(
  delivering: Delivering,
  together: Together,
  deliveryId: string,
  signal: AbortSignal,
): Promise<void> {
  const { store, queue, agents, clock } = delivering;
  const open = await together.find(deliveryId);
  if (open?.delivery.state !== "pending") return;
  const { delivery, webhook } = open;
  const at = clock();
  // The same job, later: this one was early.
  if (delivery.nextTryAt > at) return store.transaction((tx) => sendDelivery(queue, tx, delivery));

  const verdict = await mayBeSent(agents, webhook, open.event.event);
  if (verdict !== "send") {
    return store.transaction(async (tx, own) => {
      const webhooks = await own.lockWebhooks([webhook.id]);
      await own.setAside(deliveryId, verdict === "pause" ? "paused" : "cancelled", at);
      await own.lockLanes(webhooks);
      await sendNext(delivering, tx, own, webhooks, at);
    });
  }
  const leaseId = randomUUID();
  if (!(await together.claim({ id: deliveryId, webhookId: webhook.id, leaseId }))) return;

  let tries = 0;
  const goesOn = () => {
    tries += 1;
    return (
      !signal.aborted && tries < GOES_ON.tries && clock().getTime() < at.getTime() + GOES_ON.ms
    );
  };
  const attempt = (claimed: ClaimedDelivery, isNext: boolean) =>
    tryClaimed(delivering, together, claimed, { isNext, goesOn, signal });
  let next = await attempt({ open, leaseId }, false);
  while (next !== null) {
    const claimed = next;
    next = await ifStillSent(delivering, claimed, () => attempt(claimed, true));
  }
}

/** Tries a delivery, and resolves to one that this job has claimed to go on with. */
async function tryClaimed(
  delivering: Delivering,
  { settle }: Together,
  { open, leaseId }: ClaimedDelivery,
  job: {
    readonly isNext: boolean;
    readonly goesOn: () => boolean;
    readonly signal: AbortSignal;
  },
): Promise<ClaimedDelivery | null> {
  const { store, clock, random = Math.random } = delivering;
  let tried: Tried;
  try {
    tried = await tryOnce(delivering, open, job.signal);
  } catch (error) {
    // Not the receiver's fault, and not a try of its budget.
    await store.rows.releaseDelivery(open.delivery.id, leaseId);
    throw error;
  }
  const outcome = outcomeOf(open, tried, clock(), random);
  return settle({ open, leaseId, tried, outcome, isNext: job.isNext, goesOn: job.goesOn() });
}

/**
 * Tries a delivery whose own job was postponed. When it is not tried, that job runs at once, and finds
 * and reports the reason.
 */
async function ifStillSent(
  { store, queue, agents }: Delivering,
  { open: { delivery, webhook, event }, leaseId }: ClaimedDelivery,
  attempt: () => Promise<ClaimedDelivery | null>,
): Promise<ClaimedDelivery | null> {
  try {
    if ((await mayBeSent(agents, webhook, event.event)) === "send") return await attempt();
  } catch {
    // As for one that may not be sent.
  }
  await store.transaction(async (tx, own) => {
    await own.releaseDelivery(delivery.id, leaseId);
    await withdrawDeliveries(queue, tx, [delivery]);
    await sendDelivery(queue, tx, delivery);
  });
  return null;
}

/** Sends the jobs for places that are free now, in lanes that the transaction has locked. */
async function sendNext(
  { queue }: Delivering,
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
  delivering: Delivering,
  ended: readonly EndedTry[],
): Promise<readonly (ClaimedDelivery | null)[]> {
  const { store, queue, clock } = delivering;
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
    for (const { open, tried, outcome } of effective) {
      const webhook = webhooks.get(open.webhook.id);
      if (webhook === undefined) continue;
      const isLast = outcome.state === "failed";
      const end = endOf(open.delivery.id, tried, isLast);
      // A second try of the same webhook continues what the first one has counted.
      const current = await afterTry(delivering, tx, own, webhook, open.event.event, end);
      webhooks.set(webhook.id, current);
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
    await sendNext(delivering, tx, own, over.flatMap(webhookOf), at);
    // It does not matter which of the jobs goes on with which.
    const left = claimed.values();
    return ended.map((end) => (goesOn.has(end) ? (left.next().value ?? null) : null));
  });
}

/** What the end of a try means for its webhook. */
const endOf = (deliveryId: string, { startedAt, statusCode, error }: Tried, isLast: boolean) => ({
  deliveryId,
  startedAt,
  succeeded: error === null,
  isLast,
  statusCode,
  error,
});

/**
 * Sends an event with private values, once, from memory, to all subscribers at the same time.
 * Nothing of its data is stored, and it is not retried.
 *
 * @param epoch The agent's on chain: only webhooks of this epoch are sent to.
 * @throws EventDataError
 */
async function sendOnce(
  delivering: Delivering,
  event: AgentEvent,
  epoch: number,
): Promise<SentOnce> {
  const { rows } = delivering.store;
  const occurredAt = delivering.clock();
  const data = checkEventData(event.event, event.data);
  // Stored without its data: the event's existence, and how each try ended.
  const stored = { id: randomUUID(), key: eventKey(event), event: event.event, occurredAt };
  if (!(await rows.insertEvents([{ ...stored, data: null }])).has(stored.id)) {
    return { accepted: 0, problem: "It was sent before." };
  }
  const [subscribers = []] = await rows.subscribers([event]);
  const problems = await Promise.all(
    subscribers
      // The index may be behind: a webhook of an earlier epoch may be another owner's.
      .filter((webhook) => webhook.epoch === epoch)
      .map((webhook) => sendUnstored(delivering, webhook, { ...stored, data })),
  );
  const accepted = problems.filter((problem) => problem === null).length;
  const [first = `The agent has no webhook for ${event.event}.`] = problems;
  return { accepted, problem: accepted > 0 ? null : first };
}

/** Sends an event whose data is not stored: one try. Resolves to the problem; null for none. */
async function sendUnstored(
  delivering: Delivering,
  webhook: WebhookRecord,
  event: EventRecord,
): Promise<string | null> {
  const { store, agents, clock } = delivering;
  if ((await mayBeSent(agents, webhook, event.event)) !== "send") {
    return "The webhook is disabled, or its agent is suspended.";
  }
  const delivery = newDelivery(webhook.id, event.occurredAt);
  const tried = await tryOnce(delivering, { delivery, event, webhook });
  const succeeded = tried.error === null;
  await store.transaction(async (tx, own) => {
    const [current] = await own.lockWebhooks([webhook.id]);
    if (current === undefined) return;
    const ended = {
      ...delivery,
      eventId: event.id,
      state: succeeded ? ("delivered" as const) : ("failed" as const),
      failures: succeeded ? 0 : 1,
      deliveredAt: succeeded ? clock() : null,
    };
    await own.insertDeliveries([ended]);
    await own.insertTry(delivery.id, { ...tried, number: 1 });
    // It has no retries to use up: it is not the last one.
    const end = endOf(delivery.id, tried, false);
    await afterTry(delivering, tx, own, current, event.event, end);
  });
  return succeeded ? null : problemOf(tried);
}

/** Sends the jobs of deliveries that the queue lost or that were paused, and deletes old ones. */
async function sweep({ store, queue, agents, clock }: Delivering): Promise<void> {
  const { rows } = store;
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
