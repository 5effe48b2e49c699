import type { Transaction } from "../../../platform/database/transaction.ts";
import { byTokenId } from "../../../soul/soul-ref.ts";
import type { DisclosureContext, DisclosureRequest, Party } from "../context.ts";

/** Ends requests that have expired. */
export const EXPIRY_JOB = "disclosures.expire";

/** Requests in one transaction. */
const LIMIT = 100;

/** Ends requests that have expired, and notifies their requesters. */
export async function expireRequests(
  context: DisclosureContext,
  signal: AbortSignal,
): Promise<void> {
  for (let ended = LIMIT; ended === LIMIT && !signal.aborted; ) {
    ended = await context.records.inTransaction(async (tx) => {
      const due = await context.requests.due(tx, context.clock(), LIMIT);
      for (const request of due) await end(context, tx, request);
      return due.length;
    });
  }
}

async function end(
  context: DisclosureContext,
  tx: Transaction,
  { id, requester, target, requestedFields, expiresAt }: DisclosureRequest,
): Promise<void> {
  // Without an answer from the same epoch's requester no one is left to notify.
  if (!(await isSameEpoch(context, requester)) || !(await isSameEpoch(context, target))) {
    return context.requests.end(tx, id, "cancelled");
  }
  await context.requests.end(tx, id, "expired");
  await context.events.emit(tx, {
    event: "disclosure.expired",
    tokenId: requester.tokenId,
    registrationId: null,
    key: id,
    data: {
      requestId: id,
      targetAgent: target.name,
      requestedFields,
      expiredAt: expiresAt.toISOString(),
    },
  });
}

async function isSameEpoch({ agents }: DisclosureContext, { tokenId, epoch }: Party) {
  const { value } = await agents.agent(byTokenId(tokenId));
  return value !== null && value.soul.epoch === epoch && value.soul.status !== "BURNED";
}
