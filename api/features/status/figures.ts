/** Numbers of the whole deployment at one moment. */
export interface Figures {
  /** Souls that were sealed and not burned. */
  readonly sealed: number;
  /** ERC-8004 passports that the index has seen. */
  readonly passports: number;
  /** Records in batches on chain, or on chain by themselves. */
  readonly chronicles: number;
  /** Names of the agents that were sealed last, the newest first. */
  readonly newest: readonly string[];
}

export type FiguresService = ReturnType<typeof createFigures>;

/**
 * Counting reads whole tables, and the numbers are only informative. The result is cached for
 * `keptMs` milliseconds, for all clients.
 */
export function createFigures({
  count,
  clock,
  keptMs,
}: {
  readonly count: () => Promise<Figures>;
  readonly clock: () => Date;
  readonly keptMs: number;
}) {
  let last: { readonly at: number; readonly figures: Promise<Figures> } | undefined;

  /** @throws the counting's error; the next call counts again. */
  function now(): Promise<Figures> {
    const at = clock().getTime();
    if (last !== undefined && at - last.at < keptMs) return last.figures;
    const counted = { at, figures: count() };
    last = counted;
    counted.figures.catch(() => {
      if (last === counted) last = undefined;
    });
    return counted.figures;
  }

  return { now };
}
