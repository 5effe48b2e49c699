import { ApiError } from "../../kernel/errors.ts";
import type { Transaction } from "../database/transaction.ts";
import type {
  ReservationLimits,
  Sponsored,
  SponsoredGas,
  SponsorshipRefusal,
  SponsorshipStore,
} from "./gas-budget.store.ts";

export type { Sponsor, SponsorshipRefusal } from "./gas-budget.store.ts";
export type { Standing } from "./tables.ts";

/** Who sent a request that the service may pay for. */
export interface Requester {
  /**
   * Names the operation; a retry under the same name is the same operation: see
   * `AppEnv.operationKey`.
   */
  readonly operationKey: string;
  /** The narrowest network that the request came from: see `networksOf`. */
  readonly network: string;
}

export interface SponsorshipLimits {
  /** Gas that the service pays for in a UTC day. */
  readonly gasPerDay: bigint;
  /** Percent of the day's gas that strangers cannot use. */
  readonly reservePercent: number;
  /**
   * Percent of the day's gas for one network, and for wider ones a multiple. Strangers cannot use
   * the reserve of it either. 100 does not limit a network.
   */
  readonly networkPercent: number;
  /** Registrations of one wallet in a UTC month. */
  readonly registrationsPerMonth: number;
}

/**
 * What the service pays for, and for whom: a daily budget of gas with a reserve for known owners, a
 * share of it for each network, and a number of registrations a month for each wallet.
 */
export function createSponsorship({
  store,
  limits,
  largestGas,
  clock,
  refused,
}: {
  readonly store: SponsorshipStore;
  readonly limits: SponsorshipLimits;
  /** The largest operation: strangers of any network can have one. */
  readonly largestGas: bigint;
  readonly clock: () => Date;
  readonly refused: (reason: SponsorshipRefusal) => void;
}) {
  const { gasPerDay, reservePercent } = limits;
  const networks = networkShares(limits, largestGas);
  const ofReservation: ReservationLimits = {
    networks,
    networkStrangers: networks.map((share) =>
      larger(strangersPart(share, reservePercent), largestGas),
    ),
    strangers: strangersPart(gasPerDay, reservePercent),
    budget: gasPerDay,
    registrations: limits.registrationsPerMonth,
  };

  return {
    /**
     * Sets aside what the operation needs.
     *
     * @throws ApiError RATE_LIMIT_EXCEEDED when the wallet has used its registrations of the month; GAS_BUDGET_EXHAUSTED when a
     * share of the day's gas is used up. Both say when that resets.
     */
    async reserve(transaction: Transaction, sponsored: Sponsored): Promise<void> {
      const now = clock();
      const outcome = await store.reserve(transaction, sponsored, periodOf(now), ofReservation);
      if (outcome === "reserved") return;
      refused(outcome);
      throw refusal(outcome, now, limits);
    },

    release: store.release,

    /** Today's gas, for operators. */
    today: async (): Promise<{ readonly used: SponsoredGas; readonly limit: SponsoredGas }> => ({
      used: await store.used(periodOf(clock()).day),
      limit: { all: ofReservation.budget, strangers: ofReservation.strangers },
    }),
  };
}

export type Sponsorship = ReturnType<typeof createSponsorship>;

/** Larger than any budget, and still a bigint of the database. */
const UNLIMITED = 2n ** 62n;

/**
 * A network's share, by its place in `networksOf`: a site has twice that of a subscriber, and a
 * provider four times. IPv4 has the first only.
 */
const WIDER_SHARES = [1n, 2n, 4n];

function networkShares({ gasPerDay, networkPercent }: SponsorshipLimits, largestGas: bigint) {
  if (networkPercent === 100) return WIDER_SHARES.map(() => UNLIMITED);
  const share = (gasPerDay * BigInt(networkPercent)) / 100n;
  // Room for one operation of a stranger and one of a known owner.
  return WIDER_SHARES.map((times) => larger(times * share, 2n * largestGas));
}

/** What strangers can use of a share. */
function strangersPart(share: bigint, reservePercent: number): bigint {
  return (share * BigInt(100 - reservePercent)) / 100n;
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);

const MESSAGES: Readonly<Record<SponsorshipRefusal, string>> = {
  wallet: "This wallet has registered as many agents as it may in a month.",
  network:
    "The gas that the service pays for requests of your network today is spent. Try again after it resets.",
  strangers:
    "The gas that the service pays for new owners today is spent. Owners of an agent that was sealed more than seven days ago can still use the reserve.",
  budget: "The gas that the service pays for today is spent. Try again after it resets.",
};

function refusal(reason: SponsorshipRefusal, now: Date, limits: SponsorshipLimits): ApiError {
  const isWallet = reason === "wallet";
  const resetAt = isWallet ? nextMonth(now) : nextDay(now);
  const reset = resetAt.toISOString();
  return new ApiError(isWallet ? "RATE_LIMIT_EXCEEDED" : "GAS_BUDGET_EXHAUSTED", {
    message: MESSAGES[reason],
    details: isWallet
      ? { limit: limits.registrationsPerMonth, resetAt: reset }
      : { reason, resetAt: reset },
    retryAfter: Math.max(Math.ceil((resetAt.getTime() - now.getTime()) / 1000), 1),
  });
}

/** As 2026-01-31 and 2026-01. */
function periodOf(time: Date): { readonly day: string; readonly month: string } {
  const iso = time.toISOString();
  return { day: iso.slice(0, 10), month: iso.slice(0, 7) };
}

function nextDay(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + 1));
}

function nextMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1));
}
