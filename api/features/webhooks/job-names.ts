import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { QueuedDelivery } from "./records.ts";

/** Names of the jobs of webhooks. */
export const WEBHOOK_JOBS = {
  /** One try of one delivery, and of others that are due for its owner: `{deliveryId}`. */
  deliver: "webhook.deliver",
  /** Notifies a webhook's owner by mail that it fails or was disabled: `{webhookId, event}`. */
  tellOwner: "webhook.tell-owner",
  /** Asks the holder of a mail address whether notices may be sent there: `{confirmationId}`. */
  confirmMail: "webhook.confirm-mail",
  /**
   * Recurring: sweeps deliveries that the queue lost or that were paused, and deletes old ones.
   * `{}`.
   */
  sweep: "webhooks.sweep",
} as const;

/**
 * Enqueues the one job that a delivery waits for. A second one for the same place in its sequence
 * is dropped while the first waits: a delivery has one next attempt.
 */
export async function sendDelivery(
  queue: Pick<JobQueue, "send">,
  transaction: Transaction,
  delivery: QueuedDelivery,
): Promise<void> {
  const { data, options } = jobOf(delivery);
  await queue.send(transaction, WEBHOOK_JOBS.deliver, data, options);
}

/** As {@link sendDelivery}, for several deliveries. */
export async function sendDeliveries(
  queue: JobQueue,
  transaction: Transaction,
  deliveries: readonly QueuedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await queue.sendAll(transaction, WEBHOOK_JOBS.deliver, deliveries.map(jobOf));
}

/**
 * Delays the jobs of deliveries that are tried without them. A delivery that has given its job up gets
 * one for that time.
 */
export async function postponeDeliveries(
  queue: JobQueue,
  transaction: Transaction,
  deliveries: readonly Pick<QueuedDelivery, "id" | "sequence">[],
  until: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  const keys = deliveries.map(keyOf);
  const postponed = await queue.postpone(transaction, WEBHOOK_JOBS.deliver, keys, until);
  await sendDeliveries(
    queue,
    transaction,
    deliveries
      .filter((delivery) => !postponed.has(keyOf(delivery)))
      .map(({ id, sequence }) => ({ id, sequence, nextTryAt: until })),
  );
}

/** Removes the waiting jobs of deliveries that were tried without them. */
export async function withdrawDeliveries(
  queue: Pick<JobQueue, "withdraw">,
  transaction: Transaction,
  deliveries: readonly Pick<QueuedDelivery, "id" | "sequence">[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await queue.withdraw(transaction, WEBHOOK_JOBS.deliver, deliveries.map(keyOf));
}

const keyOf = ({ id, sequence }: Pick<QueuedDelivery, "id" | "sequence">) => `${id}:${sequence}`;

function jobOf(delivery: QueuedDelivery) {
  return {
    data: { deliveryId: delivery.id },
    options: { startAfter: delivery.nextTryAt, singletonKey: keyOf(delivery) },
  };
}
