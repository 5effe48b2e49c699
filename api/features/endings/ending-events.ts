import type { Address, Hex } from "viem";
import type { EventCursor, FollowedEvents } from "../../operations/event-follower.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";

interface Ended extends EventCursor {
  readonly tokenId: bigint;
  readonly name: string;
  readonly passportId: bigint;
  /** The epoch that begins with a reseal, or that ended for good. */
  readonly epoch: number;
  readonly owner: Address;
  readonly txHash: Hex;
  readonly at: Date;
}

/** An epoch or a life that ended, as the index has it. */
export type EndedEpoch =
  | (Ended & {
      readonly kind: "resealed";
      readonly soulHash: Hex;
      readonly previousSoulHash: Hex | null;
      readonly archiveId: string | null;
    })
  | (Ended & {
      readonly kind: "burned";
      /** Whether a passport's new owner ended it. */
      readonly isReleased: boolean;
      readonly reasonHash: Hex | null;
    });

/** Name of the job that follows reseals and ends. */
export const ENDINGS_JOB = "endings.follow";

/**
 * What ends with an epoch or a life, also when its owner called the contract itself: webhooks, after their last event, and keys.
 * Both are refused before that, because every use compares them with the soul.
 */
export function followEndings(deps: {
  readonly ends: FollowedEvents<EndedEpoch>["page"];
  readonly events: EventSink;
  readonly webhookEpochs: Pick<WebhookEpochs, "resealed">;
  /** Revokes the keys of epochs before `epoch`. */
  readonly endKeys: (
    tx: Transaction,
    before: { readonly tokenId: bigint; readonly epoch: number },
  ) => Promise<void>;
}): FollowedEvents<EndedEpoch> {
  return {
    name: "endings",
    page: deps.ends,
    async handle(tx, ended) {
      const { tokenId, key } = ended;
      await deps.events.emit(tx, { ...eventOf(ended), tokenId, registrationId: null, key });
      // Nothing is left of a life that ended; a reseal leaves the epoch that it began.
      const epoch = ended.kind === "resealed" ? ended.epoch : ended.epoch + 1;
      await deps.webhookEpochs.resealed(tx, { tokenId, epoch });
      await deps.endKeys(tx, { tokenId, epoch });
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
