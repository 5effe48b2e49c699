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
  queue: JobQueue<Transaction>,
  transaction: Transaction,
  { id, sequence, nextTryAt }: QueuedDelivery,
): Promise<void> {
  await queue.send(
    transaction,
    WEBHOOK_JOBS.deliver,
    { deliveryId: id },
    { startAfter: nextTryAt, singletonKey: `${id}:${sequence}` },
  );
}
