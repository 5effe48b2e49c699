import { dateOf } from "../../kernel/chain-time.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { IndexedAgents, Reading, UnclaimedReads } from "../../soul/index-reads.ts";
import { byName, noSuchSoul } from "../../soul/soul-ref.ts";
import type { EventSink } from "../webhooks/index.ts";

const DAY_SECONDS = 86_400;

/** Compares the age of agents' snapshots with what readers require. */
export function createFreshnessService({
  reads,
  unclaimed,
  inTransaction,
  events,
  clock,
}: {
  readonly reads: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly inTransaction: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  readonly events: EventSink;
  readonly clock: () => Date;
}) {
  return {
    /**
     * When the snapshot is too old, the agent's webhooks are notified: once a UTC day, and not again for other readers.
     *
     * @throws ApiError NOT_FOUND
     */
    async verify(
      name: string,
      requiredMaxDays: number,
    ): Promise<Reading<ReturnType<typeof freshness>>> {
      const { at, value } = await reads.agent(byName(name));
      if (value === null) {
        const waiting = await unclaimed(name);
        if (waiting === null) throw noSuchSoul(byName(name));
        return { at, value: freshness(waiting.name, null, at.timestamp, requiredMaxDays) };
      }
      const { tokenId, epoch, status, alignmentAt } = value.soul;
      const answer = freshness(value.soul.name, alignmentAt, at.timestamp, requiredMaxDays);
      if (!answer.meetsFreshnessRequirement && status !== "BURNED") {
        const requestedAt = clock().toISOString();
        await inTransaction((tx) =>
          events.emit(tx, {
            event: "freshness.requested",
            tokenId,
            registrationId: null,
            key: `${epoch} ${requestedAt.slice(0, 10)}`,
            data: {
              tokenId: Number(tokenId),
              agentName: answer.agentName,
              lastSnapshot: answer.lastSnapshot?.toISOString() ?? null,
              snapshotAgeDays: answer.snapshotAgeDays,
              requiredMaxDays,
              requestedAt,
            },
          }),
        );
      }
      return { at, value: answer };
    },
  };
}

/** Whether an agent's last snapshot is young enough for a reader. */
function freshness(
  agentName: string,
  recordedAt: bigint | null,
  now: bigint,
  requiredMaxDays: number,
) {
  const seconds = recordedAt === null ? null : Math.max(0, Number(now - recordedAt));
  return {
    agentName,
    meetsFreshnessRequirement: seconds !== null && seconds <= requiredMaxDays * DAY_SECONDS,
    lastSnapshot: recordedAt === null ? null : dateOf(recordedAt),
    // With two decimals, rounded down.
    snapshotAgeDays: seconds === null ? null : Math.floor((seconds * 100) / DAY_SECONDS) / 100,
    requiredMaxDays,
  };
}
