/** How far the chain is, and how far the index. */
export interface IndexSample {
  /** Height of the chain, as the node gives it. */
  readonly head: bigint;
  readonly indexed: bigint;
  /** Whether history has been read. Until then a first start may take hours between two visible steps. */
  readonly isReady: boolean;
}

export interface WatchdogOptions {
  /** How long the index may stand still behind the head, in milliseconds. */
  readonly limitMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The chain goes on and the index does not. */
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
 * Judges samples of head and index. `observe` throws {@link IndexStalledError} once the index has been behind the head for
 * `limitMs` without any movement.
 *
 * The time starts again when the index moves or is up to date, and while history is being read. Time that ends in a missing
 * sample does not count, because node or database did not answer then; what was counted before stays. A head that has not moved
 * since the first sample is not judged either: after a restart the last blocks of a quiet chain are indexed with the next one
 * that is mined.
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
