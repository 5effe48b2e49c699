import type { Address, TransactionReceipt } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { Call, Signer } from "../chain/transactions.ts";
import type { Transaction } from "../database/transaction.ts";

/**
 * Known accounts may use the whole budget: those that own an agent which they sealed more than
 * seven days ago, or are attested as human. A claim does not make its wallet known.
 */
export const STANDINGS = ["stranger", "known"] as const;

export type Standing = (typeof STANDINGS)[number];

/** Whose share of the day's gas an operation takes. */
export interface Sponsor {
  /** The narrowest network that the request came from: see `networksOf`. */
  readonly network: string;
  readonly standing: Standing;
}

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

/** A transaction that the service would pay for. */
export interface Sponsored {
  /** Names the operation: asking again under the same name counts once. */
  readonly operationId: string;
  /** Gas that is set aside, which is more than the transaction uses. */
  readonly gas: bigint;
  /**
   * The wallet whose monthly registrations it counts on; null when it is not a registration, or is
   * exempt.
   */
  readonly registrant: string | null;
  readonly sponsor: Sponsor;
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

/** Why a reservation was refused: the share or quota that is used up. */
export const SPONSORSHIP_REFUSALS = ["wallet", "network", "strangers", "budget"] as const;
export type SponsorshipRefusal = (typeof SPONSORSHIP_REFUSALS)[number];

/** The limits of one reservation, in gas. */
export interface ReservationLimits {
  /** For a network's known owners and strangers together, the narrowest network first. */
  readonly networks: readonly bigint[];
  /** For a network's strangers. */
  readonly networkStrangers: readonly bigint[];
  /** For all strangers together. */
  readonly strangers: bigint;
  /** For all callers together. */
  readonly budget: bigint;
  /** Registrations of the wallet in the month. */
  readonly registrations: number;
}

/** Gas set aside on a day. */
export interface SponsoredGas {
  readonly all: bigint;
  readonly strangers: bigint;
}

/**
 * Counts what the service pays for, within the transaction that accepts the operation: a refused operation is not counted.
 *
 * @typeParam Transaction what the database module calls a transaction.
 */
export interface SponsorshipStore {
  /**
   * One statement: two requests for the last of a share cannot both get it. After a refusal the
   * transaction must be rolled back.
   */
  reserve(
    transaction: Transaction,
    sponsored: Sponsored,
    period: { readonly day: string; readonly month: string },
    limits: ReservationLimits,
  ): Promise<"reserved" | SponsorshipRefusal>;
  /** Releases the reservation of an operation that did not happen. Does nothing without one. */
  release(transaction: Transaction, operationId: string): Promise<void>;
  used(day: string): Promise<SponsoredGas>;
}

export interface Sponsorship {
  /**
   * Sets aside what the operation needs.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED when the wallet has used its registrations of the month; GAS_BUDGET_EXHAUSTED when a
   * share of the day's gas is used up. Both say when that resets.
   */
  reserve(transaction: Transaction, sponsored: Sponsored): Promise<void>;
  release(transaction: Transaction, operationId: string): Promise<void>;
  /** Today's gas, for operators. */
  today(): Promise<{ readonly used: SponsoredGas; readonly limit: SponsoredGas }>;
}

/** Transactions by which the service writes with its own authority, paid from the day's gas. */
export interface SponsoredRelayer {
  /**
   * As `Relayer.run`, with gas set aside before. It is returned when there is no transaction.
   *
   * @throws ApiError as `Relayer.run` does; GAS_BUDGET_EXHAUSTED.
   */
  run(
    sponsored: Pick<Sponsored, "operationId" | "gas"> & {
      /** The owner of the agent that it is for, by whose standing it is paid. */
      readonly owner: Address;
      readonly network: string;
      readonly signer?: Signer;
    },
    build: () => Promise<Call>,
  ): Promise<TransactionReceipt>;
}

export interface SponsorshipOptions {
  readonly store: SponsorshipStore;
  readonly limits: SponsorshipLimits;
  /** The largest operation: strangers of any network can have one. */
  readonly largestGas: bigint;
  readonly clock: () => Date;
  readonly refused: (reason: SponsorshipRefusal) => void;
}

/**
 * What the service pays for, and for whom: a daily budget of gas with a reserve for known owners, a
 * share of it for each network, and a number of registrations a month for each wallet.
 */
export function createSponsorship(options: SponsorshipOptions): Sponsorship {
  const { store, limits, largestGas, clock } = options;
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
    async reserve(transaction, sponsored) {
      const now = clock();
      const outcome = await store.reserve(transaction, sponsored, periodOf(now), ofReservation);
      if (outcome === "reserved") return;
      options.refused(outcome);
      throw refusal(outcome, now, limits);
    },

    release: store.release,

    today: async () => ({
      used: await store.used(periodOf(clock()).day),
      limit: { all: ofReservation.budget, strangers: ofReservation.strangers },
    }),
  };
}

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
