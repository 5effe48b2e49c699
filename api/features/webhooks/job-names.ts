import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { QueuedDelivery } from "./ports.ts";

/** Names of the jobs of webhooks. */
export const WEBHOOK_JOBS = {
  /** One try of one delivery: `{deliveryId}`. */
  deliver: "webhook.deliver",
  /** Notifies a webhook's owner by mail that it fails or was disabled: `{webhookId, event}`. */
  tellOwner: "webhook.tell-owner",
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
export async function sendDelivery<Transaction>(
  queue: Pick<JobQueue<Transaction>, "send">,
  transaction: Transaction,
  delivery: QueuedDelivery,
): Promise<void> {
  const { data, options } = jobOf(delivery);
  await queue.send(transaction, WEBHOOK_JOBS.deliver, data, options);
}

/** As {@link sendDelivery}, for several deliveries. */
export async function sendDeliveries<Transaction>(
  queue: JobQueue<Transaction>,
  transaction: Transaction,
  deliveries: readonly QueuedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await queue.sendAll(transaction, WEBHOOK_JOBS.deliver, deliveries.map(jobOf));
}

function jobOf({ id, sequence, nextTryAt }: QueuedDelivery) {
  return {
    data: { deliveryId: id },
    options: { startAfter: nextTryAt, singletonKey: `${id}:${sequence}` },
  };
}
