import { dateOf } from "../../kernel/chain-time.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { IndexedAgents, Reading, UnclaimedReads } from "../../soul/index-reads.ts";
import { byName, noSuchSoul } from "../../soul/soul-ref.ts";
import type { EventSink } from "../webhooks/index.ts";

/** Whether an agent's last snapshot is young enough for a reader. */
export interface Freshness {
  readonly agentName: string;
  readonly meetsFreshnessRequirement: boolean;
  readonly lastSnapshot: Date | null;
  /** With two decimals, rounded down; null without a snapshot. */
  readonly snapshotAgeDays: number | null;
  readonly requiredMaxDays: number;
}

export interface FreshnessDeps {
  readonly reads: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly inTransaction: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  readonly events: EventSink;
  readonly clock: () => Date;
}

const DAY_SECONDS = 86_400;

export type FreshnessService = ReturnType<typeof createFreshnessService>;

/** Compares the age of agents' snapshots with what readers require. */
export function createFreshnessService(deps: FreshnessDeps) {
  const { reads, unclaimed, clock } = deps;

  return {
    /**
     * When the snapshot is too old, the agent's webhooks are notified: once a UTC day, and not again for other readers.
     *
     * @throws ApiError NOT_FOUND
     */
    async verify(name: string, requiredMaxDays: number): Promise<Reading<Freshness>> {
      const { at, value } = await reads.agent(byName(name));
      if (value === null) {
        const waiting = await unclaimed(name);
        if (waiting === null) throw noSuchSoul(byName(name));
        return { at, value: freshness(waiting.name, null, at.timestamp, requiredMaxDays) };
      }
      const { tokenId, epoch, status, alignmentAt } = value.soul;
      const found = freshness(value.soul.name, alignmentAt, at.timestamp, requiredMaxDays);
      if (!found.meetsFreshnessRequirement && status !== "BURNED") {
        const requestedAt = clock().toISOString();
        await deps.inTransaction((tx) =>
          deps.events.emit(tx, {
            event: "freshness.requested",
            tokenId,
            registrationId: null,
            key: `${epoch} ${requestedAt.slice(0, 10)}`,
            data: {
              tokenId: Number(tokenId),
              agentName: found.agentName,
              lastSnapshot: found.lastSnapshot?.toISOString() ?? null,
              snapshotAgeDays: found.snapshotAgeDays,
              requiredMaxDays,
              requestedAt,
            },
          }),
        );
      }
      return { at, value: found };
    },
  };
}

function freshness(
  agentName: string,
  recordedAt: bigint | null,
  now: bigint,
  requiredMaxDays: number,
): Freshness {
  const seconds = recordedAt === null ? null : Math.max(0, Number(now - recordedAt));
  return {
    agentName,
    meetsFreshnessRequirement: seconds !== null && seconds <= requiredMaxDays * DAY_SECONDS,
    lastSnapshot: recordedAt === null ? null : dateOf(recordedAt),
    snapshotAgeDays: seconds === null ? null : Math.floor((seconds * 100) / DAY_SECONDS) / 100,
    requiredMaxDays,
  };
}
