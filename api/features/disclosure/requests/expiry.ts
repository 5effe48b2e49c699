import type { Transaction } from "../../../platform/database/transaction.ts";
import type { IndexedAgents } from "../../../soul/index-reads.ts";
import { byTokenId } from "../../../soul/soul-ref.ts";
import type { EventSink } from "../../webhooks/index.ts";
import type { DisclosureStore } from "../disclosures.ts";
import type { DisclosureRequest, Party, RequestStore } from "./requests.ts";

/** Ends requests that have expired. */
export const EXPIRY_JOB = "disclosures.expire";

/** Requests in one transaction. */
const LIMIT = 100;

/** Ends requests that have expired, and notifies their requesters. */
export function createRequestExpiry(deps: {
  readonly store: RequestStore;
  readonly disclosures: Pick<DisclosureStore, "inTransaction">;
  readonly agents: IndexedAgents;
  readonly events: EventSink;
  readonly clock: () => Date;
}) {
  const { store, agents, events, clock } = deps;

  async function isSameEpoch({ tokenId, epoch }: Party): Promise<boolean> {
    const { value } = await agents.agent(byTokenId(tokenId));
    return value !== null && value.soul.epoch === epoch && value.soul.status !== "BURNED";
  }

  async function end(tx: Transaction, request: DisclosureRequest): Promise<void> {
    const { id, requester, target, requestedFields, expiresAt } = request;
    // Without an answer from the same epoch's requester no one is left to notify.
    if (!(await isSameEpoch(requester)) || !(await isSameEpoch(target))) {
      return store.end(tx, id, "cancelled");
    }
    await store.end(tx, id, "expired");
    await events.emit(tx, {
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

  return async (signal: AbortSignal): Promise<void> => {
    for (let ended = LIMIT; ended === LIMIT && !signal.aborted; ) {
      ended = await deps.disclosures.inTransaction(async (tx) => {
        const due = await store.due(tx, clock(), LIMIT);
        for (const request of due) await end(tx, request);
        return due.length;
      });
    }
  };
}
