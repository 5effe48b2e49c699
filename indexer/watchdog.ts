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
 * The time starts again whenever there is nothing to judge: the index moves or is up to date, history is being read, or a
 * sample is missing because the node or the database did not answer. A head that has not moved since the first sample is not
 * judged either: after a restart the last blocks of a quiet chain are indexed with the next one that is mined.
 */
export function createWatchdog({ limitMs, now }: WatchdogOptions) {
  let firstHead: bigint | undefined;
  let last: { readonly indexed: bigint; readonly since: number } | undefined;

  return {
    observe(sample: IndexSample | undefined): void {
      if (!sample?.isReady) {
        last = undefined;
        return;
      }
      const { head, indexed } = sample;
      firstHead ??= head;
      if (last?.indexed !== indexed || indexed >= head || head === firstHead) {
        last = { indexed, since: now() };
        return;
      }
      const stalledMs = now() - last.since;
      if (stalledMs >= limitMs) throw new IndexStalledError(indexed, head, stalledMs);
    },
  };
}
