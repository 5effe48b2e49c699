/** When a component that died is started again. */
export interface RestartPolicy {
  /** Wait before the first try, in milliseconds. Each further try waits twice as long. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Quick failures in a row after which there is no further try. */
  readonly tries: number;
  /** A component that ran for so long has recovered: its next failure is a first one. */
  readonly recoveredAfterMs: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  tries: 5,
  recoveredAfterMs: 60_000,
};

/** One more try at starting a component. */
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

  /** What follows a failure after `ranForMs` of running; null when the tries are used up. */
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
