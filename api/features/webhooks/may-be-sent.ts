import type { HoldingReads } from "../../soul/index-reads.ts";
import { isWithSealer } from "../../soul/with-sealer.ts";
import { type SentEventName, TEST_EVENT } from "./events.ts";
import type { WebhookRecord } from "./records.ts";

/**
 * These events announce that an owner's authority ended, and are sent after that end: to the
 * webhooks that end with it. All of their data is on chain.
 */
const SENT_AFTER_TRANSFER: ReadonlySet<SentEventName> = new Set([
  "passport.transferred",
  "soul.resealed",
  "soul.burned",
]);

/** Whether an event may go to a webhook now, by the index's record of its agent. */
export async function mayBeSent(
  agents: HoldingReads,
  webhook: WebhookRecord,
  event: SentEventName,
): Promise<"send" | "pause" | "cancel"> {
  if (!webhook.enabled && event !== TEST_EVENT) return "pause";
  if (SENT_AFTER_TRANSFER.has(event)) return "send";
  if (webhook.tokenId === null || webhook.epoch === null) {
    return webhook.endedAt === null ? "send" : "cancel";
  }
  const { value: agent } = await agents.holding(webhook.tokenId);
  // A claim's first event may come before the index has the agent.
  if (agent === null) return webhook.endedAt === null ? "send" : "cancel";
  const { soul, passport } = agent;
  if (soul.epoch > webhook.epoch) return "cancel";
  // Burned by its owner, whose events of before are still sent. A release has no reason.
  if (soul.status === "BURNED") return soul.burnReasonHash === null ? "cancel" : "send";
  if (webhook.endedAt !== null) return "cancel";
  const { sealer, suspended } = soul;
  return isWithSealer({ sealer, suspended, owner: passport?.owner ?? null }) ? "send" : "pause";
}
