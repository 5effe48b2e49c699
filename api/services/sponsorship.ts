import { ApiError } from "../errors.ts";

/** A transaction that the service would pay for. */
export interface Sponsored {
  /** Names the operation: what is asked for again under the same name is not counted again. */
  readonly operationId: string;
  /** Gas that is set aside for it, which is more than it takes. */
  readonly gas: bigint;
  /** The wallet whose registrations it counts on; null when it is no registration, or exempt. */
  readonly registrant: string | null;
}

export interface SponsorshipLimits {
  /** Gas that the service pays for in a UTC day. */
  readonly gasPerDay: bigint;
  /** Registrations of one wallet in a UTC month. */
  readonly registrationsPerMonth: number;
}

/** What a reservation came to. */
export type Reservation = "reserved" | "wallet_exhausted" | "budget_exhausted";

/**
 * Keeps count of what the service pays for, from within the transaction that accepts the operation: what is not accepted is not
 * counted.
 *
 * @typeParam Transaction what the database module calls a transaction.
 */
export interface SponsorshipStore<Transaction> {
  /** Of two that want the last of something one gets it. After anything but "reserved" the transaction must be given up. */
  reserve(
    transaction: Transaction,
    sponsored: Sponsored,
    period: { readonly day: string; readonly month: string },
    limits: SponsorshipLimits,
  ): Promise<Reservation>;
  /** Gives back what an operation that did not happen had reserved. Does nothing when it had nothing. */
  release(transaction: Transaction, operationId: string): Promise<void>;
}

export interface Sponsorship<Transaction> {
  /**
   * Sets aside what the operation needs.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED when the wallet has had its registrations of the month, GAS_BUDGET_EXHAUSTED when the
   * day's gas is spent; both say when that resets.
   */
  reserve(transaction: Transaction, sponsored: Sponsored): Promise<void>;
  release(transaction: Transaction, operationId: string): Promise<void>;
}

/** What the service pays for, and for whom: a daily budget of gas, and a number of registrations a month for each wallet. */
export function createSponsorship<Transaction>(options: {
  readonly store: SponsorshipStore<Transaction>;
  readonly limits: SponsorshipLimits;
  readonly clock: () => Date;
}): Sponsorship<Transaction> {
  const { store, limits, clock } = options;
  return {
    async reserve(transaction, sponsored) {
      const now = clock();
      const iso = now.toISOString();
      const period = { day: iso.slice(0, 10), month: iso.slice(0, 7) };
      const outcome = await store.reserve(transaction, sponsored, period, limits);
      if (outcome === "wallet_exhausted") {
        throw exhausted("RATE_LIMIT_EXCEEDED", now, nextMonth(now), {
          message: "This wallet has registered as many agents as it may in a month.",
          limit: limits.registrationsPerMonth,
        });
      }
      if (outcome === "budget_exhausted") {
        throw exhausted("GAS_BUDGET_EXHAUSTED", now, nextDay(now), {});
      }
    },
    release: store.release,
  };
}

function exhausted(
  type: "RATE_LIMIT_EXCEEDED" | "GAS_BUDGET_EXHAUSTED",
  now: Date,
  resetAt: Date,
  { message, ...details }: { readonly message?: string; readonly limit?: number },
): ApiError {
  return new ApiError(type, {
    ...(message === undefined ? {} : { message }),
    details: { ...details, resetAt: resetAt.toISOString() },
    retryAfter: Math.max(Math.ceil((resetAt.getTime() - now.getTime()) / 1000), 1),
  });
}

function nextDay(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + 1));
}

function nextMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1));
}
