import { ApiError } from "../../../kernel/errors.ts";
import type { ChainSouls } from "../../../soul/chain-soul.ts";
import type { IndexedAgents } from "../../../soul/index-reads.ts";
import { requireAgent } from "../../../soul/require-agent.ts";
import { requireSoul } from "../../../soul/require-soul.ts";
import { byTokenId } from "../../../soul/soul-ref.ts";
import { estimatedCompletion } from "../job-names.ts";
import { scoredFrom } from "../new-agent.ts";
import type { OpenSnapshot } from "./snapshot.ts";

/** Snapshots that an agent and its owner may ask for on one UTC day. */
const REQUESTS_A_DAY = 5;

/** The agent that a snapshot is opened for. */
export interface SnapshotSubject {
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly epoch: number;
}

export interface OpeningStore {
  /**
   * Opens a snapshot and queues its job, in one transaction. Returns the one that the same operation
   * opened, or an unfinished one of the agent, instead. Null when the day is full.
   */
  request(
    subject: SnapshotSubject,
    operationKey: string,
    limit: { readonly max: number; readonly since: Date },
  ): Promise<OpenSnapshot | null>;
  /**
   * Opens snapshots of the next active agents after `after` that have none of the last day, at most
   * `limit`, and queues their job, in one transaction. Resolves to the last of them; null when there
   * are no more.
   */
  openDue(after: bigint, limit: number): Promise<bigint | null>;
  /** Queues the job, unless nothing is unfinished. */
  continueLater(): Promise<void>;
}

export interface OpeningDeps {
  readonly store: OpeningStore;
  readonly souls: ChainSouls;
  readonly agents: IndexedAgents;
  readonly clock: () => Date;
  /** Agents for which snapshots are opened in one transaction. */
  readonly openedAtOnce?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const OPENED_AT_ONCE = 500;

export type SnapshotOpening = ReturnType<typeof createSnapshotOpening>;

/** Opens snapshots: at request, and for active agents once a day. */
export function createSnapshotOpening({
  store,
  souls,
  agents,
  clock,
  openedAtOnce = OPENED_AT_ONCE,
}: OpeningDeps) {
  return {
    /**
     * @throws ApiError NOT_FOUND, BURNED or SUSPENDED; FORBIDDEN for a soul that is not sealed, or
     * that has no score yet; RATE_LIMIT_EXCEEDED.
     */
    async request(
      tokenId: bigint,
      operationKey: string,
    ): Promise<OpenSnapshot & { readonly passportId: bigint; readonly estimatedCompletion: Date }> {
      const soul = await requireSoul(souls, tokenId, "active");
      const { value } = await requireAgent(agents, byTokenId(tokenId));
      const from = scoredFrom(value.soul);
      // An epoch that the index has not seen has just begun.
      if (value.soul.epoch !== soul.epoch || soul.blockTime < from) throw tooNew(from);
      const now = clock();
      const since = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
      const opened = await store.request(
        { tokenId, agentName: soul.name, epoch: soul.epoch },
        operationKey,
        { max: REQUESTS_A_DAY, since },
      );
      if (opened === null) throw dayIsFull(now, since);
      const { passportId } = soul;
      return { ...opened, passportId, estimatedCompletion: estimatedCompletion(opened.createdAt) };
    },

    /** Opens the snapshots that are due, a page at a time. */
    async schedule(signal?: AbortSignal): Promise<void> {
      for (let after: bigint | null = 0n; after !== null; ) {
        signal?.throwIfAborted();
        after = await store.openDue(after, openedAtOnce);
      }
      await store.continueLater();
    },
  };
}

function tooNew(from: bigint): ApiError {
  return new ApiError("FORBIDDEN", {
    message:
      "The agent, or its present epoch, is under 30 days old: it has no score yet. Ask again later.",
    details: { scoredFrom: new Date(Number(from) * 1000).toISOString() },
  });
}

function dayIsFull(now: Date, since: Date): ApiError {
  const resetAt = new Date(since.getTime() + DAY_MS);
  return new ApiError("RATE_LIMIT_EXCEEDED", {
    message: `Snapshots of an agent can be asked for at most ${REQUESTS_A_DAY} times a day (UTC).`,
    details: { limit: REQUESTS_A_DAY, resetAt: resetAt.toISOString() },
    retryAfter: Math.ceil((resetAt.getTime() - now.getTime()) / 1000),
  });
}
