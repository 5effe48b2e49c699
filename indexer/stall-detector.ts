/** Positions of the chain and of the index. */
export interface IndexSample {
  /** Height of the chain, as the node gives it. */
  readonly head: bigint;
  readonly indexed: bigint;
  /** Whether history has been read. Before that, hours may pass between two visible steps. */
  readonly isReady: boolean;
}

export interface WatchdogOptions {
  /** How long the index may stay behind the head without moving, in milliseconds. */
  readonly limitMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The chain advances and the index does not. */
export class IndexStalledError extends Error {
  override readonly name = "IndexStalledError";
  constructor(
    readonly indexed: bigint,
    readonly head: bigint,
    readonly stalledMs: number,
  ) {
    super(
      `The index has stood at block ${indexed} for ${Math.round(stalledMs / 1000)} s while the chain went on to block ${head}: the node has probably dropped the subscription to new blocks. The indexer ends, so that its supervisor starts it again.`,
    );
  }
}

/**
 * Evaluates samples of head and index. `observe` throws {@link IndexStalledError} once the index
 * has been behind the head for `limitMs` without moving.
 *
 * The time restarts when the index moves or is up to date, and while history is being read. Time
 * before a missing sample is not counted, because node or database did not answer; earlier counted
 * time stays. A head that has not moved since the first sample is not evaluated: after a restart,
 * Ponder indexes the last blocks of a quiet chain with the next mined block.
 */
export function createWatchdog({ limitMs, now }: WatchdogOptions) {
  let firstHead: bigint | undefined;
  let last: { readonly indexed: bigint; readonly stalledMs: number } | undefined;
  let observedAt = now();

  return {
    observe(sample: IndexSample | undefined): void {
      const passedMs = now() - observedAt;
      observedAt = now();
      if (sample === undefined) return;
      if (!sample.isReady) {
        last = undefined;
        return;
      }
      const { head, indexed } = sample;
      firstHead ??= head;
      if (last?.indexed !== indexed || indexed >= head || head === firstHead) {
        last = { indexed, stalledMs: 0 };
        return;
      }
      const stalledMs = last.stalledMs + passedMs;
      if (stalledMs >= limitMs) throw new IndexStalledError(indexed, head, stalledMs);
      last = { indexed, stalledMs };
    },
  };
}
