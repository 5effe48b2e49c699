export interface TurnLimits {
  /** Most turns at once. */
  readonly atOnce: number;
  /** Most requests that wait for a turn. */
  readonly places: number;
  /** Longest time in milliseconds that one waits. */
  readonly waitMs: number;
}

interface Waiting {
  start(): void;
  refuse(): void;
}

/**
 * Gives turns: to each caller one at a time, and to waiting callers in rotation, so that what one of
 * them sends makes the others wait for one turn at most. Without a free place the caller with the
 * most waiting requests loses its newest.
 */
export function createTurns({ atOnce, places, waitMs }: TurnLimits, refusal: () => Error) {
  const running = new Set<string>();
  /** In the order of the callers' next turns. */
  const waiting = new Map<string, Waiting[]>();

  function startWaiting(): void {
    for (const [caller, [first, ...others]] of waiting) {
      if (running.size >= atOnce) return;
      if (first === undefined || running.has(caller)) continue;
      waiting.delete(caller);
      if (others.length > 0) waiting.set(caller, others);
      running.add(caller);
      first.start();
    }
  }

  function remove(caller: string, request: Waiting): void {
    const others = (waiting.get(caller) ?? []).filter((other) => other !== request);
    if (others.length > 0) waiting.set(caller, others);
    else waiting.delete(caller);
  }

  function keepPlaces(): void {
    const queues = [...waiting.values()];
    if (queues.reduce((sum, { length }) => sum + length, 0) <= places) return;
    const longest = queues.reduce((one, other) => (other.length >= one.length ? other : one));
    longest.at(-1)?.refuse();
  }

  /** Waits for a turn. */
  function started(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const request: Waiting = {
        start() {
          clearTimeout(timer);
          resolve();
        },
        refuse() {
          clearTimeout(timer);
          remove(caller, request);
          reject(refusal());
        },
      };
      const timer = setTimeout(request.refuse, waitMs);
      waiting.set(caller, [...(waiting.get(caller) ?? []), request]);
      startWaiting();
      keepPlaces();
    });
  }

  return {
    /** @throws the refusal, without a free place or after the longest wait. */
    async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
      await started(caller);
      try {
        return await work();
      } finally {
        running.delete(caller);
        startWaiting();
      }
    },
  };
}
