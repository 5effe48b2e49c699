/** Numbers of the whole deployment at one moment. */
export interface ServiceStatistics {
  /** Souls that were sealed and not burned. */
  readonly sealed: number;
  /** ERC-8004 passports that the index has seen. */
  readonly passports: number;
  /** Records in batches on chain, or on chain by themselves. */
  readonly chronicles: number;
}

export type StatisticsService = ReturnType<typeof createStatistics>;

/**
 * Counting reads whole tables, and the numbers are only informative. The result is cached for
 * `keptMs` milliseconds, for all clients.
 */
export function createStatistics({
  count,
  clock,
  keptMs,
}: {
  readonly count: () => Promise<ServiceStatistics>;
  readonly clock: () => Date;
  readonly keptMs: number;
}) {
  let last: { readonly at: number; readonly statistics: Promise<ServiceStatistics> } | undefined;

  /** @throws the counting's error; the next call counts again. */
  function now(): Promise<ServiceStatistics> {
    const at = clock().getTime();
    if (last !== undefined && at - last.at < keptMs) return last.statistics;
    const counted = { at, statistics: count() };
    last = counted;
    counted.statistics.catch(() => {
      if (last === counted) last = undefined;
    });
    return counted.statistics;
  }

  return { now };
}
