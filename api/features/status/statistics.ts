import { shareAnswer } from "../../kernel/shared-answer.ts";

/** Numbers of the whole deployment at one moment. */
export interface ServiceStatistics {
  /** Sealed souls with a passport, suspended ones included. */
  readonly sealed: number;
  /** ERC-8004 passports that the index has seen. */
  readonly passports: number;
  /** Records in batches on chain, or on chain by themselves. */
  readonly chronicles: number;
}

export type StatisticsService = ReturnType<typeof createStatistics>;

/**
 * Counting reads whole tables, and the numbers are only informative: the result is kept, for all
 * clients.
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
  return {
    /** @throws the counting's error; the next call counts again. */
    now: shareAnswer({ make: count, clock, keptMs }),
  };
}
