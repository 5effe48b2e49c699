/** When a component that ended is restarted. */
export interface RestartPolicy {
  /** Delay before the first retry, in milliseconds. It doubles with each retry. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Consecutive quick failures after which there is no retry. */
  readonly tries: number;
  /** After running this long a component has recovered: its next failure counts as the first. */
  readonly recoveredAfterMs: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  tries: 5,
  recoveredAfterMs: 60_000,
};

/** One restart of a component. */
export interface Retry {
  /** From 1 on. */
  readonly attempt: number;
  readonly waitMs: number;
}

/** Counts the failures of one component. */
export class RestartCounter {
  readonly #policy: RestartPolicy;
  #failures = 0;

  constructor(policy: RestartPolicy) {
    this.#policy = policy;
  }

  /** The retry after a failure, `ranForMs` after its start; null when the retries are used up. */
  next(ranForMs: number): Retry | null {
    const { firstWaitMs, longestWaitMs, tries, recoveredAfterMs } = this.#policy;
    if (ranForMs >= recoveredAfterMs) this.#failures = 0;
    this.#failures += 1;
    if (this.#failures > tries) return null;
    return {
      attempt: this.#failures,
      waitMs: Math.min(firstWaitMs * 2 ** (this.#failures - 1), longestWaitMs),
    };
  }
}
