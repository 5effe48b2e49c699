import type { FollowedEvents } from "../../operations/event-follower.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";
import { type EndedEpoch, endKeys, ends } from "./endings.store.ts";

/** Name of the job that follows reseals and ends. */
export const ENDINGS_JOB = "endings.follow";

/**
 * What ends with an epoch or a life, also when its owner called the contract itself: webhooks, after their last event, and keys.
 * Both are refused before that, because every use compares them with the soul.
 */
export function followEndings(deps: {
  readonly db: Database;
  readonly clock: () => Date;
  readonly events: EventSink;
  readonly webhookEpochs: Pick<WebhookEpochs, "resealed">;
}): FollowedEvents<EndedEpoch> {
  return {
    name: "endings",
    page: (after, upTo, limit) => ends(deps.db, after, upTo, limit),
    async handle(tx, ended) {
      const { tokenId, key } = ended;
      await deps.events.emit(tx, { ...eventOf(ended), tokenId, registrationId: null, key });
      // Nothing is left of a life that ended; a reseal leaves the epoch that it began.
      const epoch = ended.kind === "resealed" ? ended.epoch : ended.epoch + 1;
      await deps.webhookEpochs.resealed(tx, { tokenId, epoch });
      // The service's time: the chain's may be ahead, and a key counts until its end.
      await endKeys(tx, { tokenId, epoch }, deps.clock());
    },
  };
}

function eventOf(ended: EndedEpoch) {
  const common = {
    tokenId: Number(ended.tokenId),
    agentName: ended.name,
    erc8004AgentId: Number(ended.passportId),
    epoch: ended.epoch,
    ownerAddress: ended.owner,
    txHash: ended.txHash,
  };
  const at = ended.at.toISOString();
  if (ended.kind === "resealed") {
    const { soulHash, previousSoulHash, archiveId } = ended;
    const data = {
      ...common,
      soulHash,
      previousSoulHash,
      arweaveTxId: archiveId,
      resealedAt: at,
    };
    return { event: "soul.resealed" as const, data };
  }
  const { isReleased, reasonHash } = ended;
  const data = {
    ...common,
    released: isReleased,
    reasonHash,
    burnedAt: at,
  };
  return { event: "soul.burned" as const, data };
}
