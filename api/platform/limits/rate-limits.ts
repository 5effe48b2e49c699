import type { Account } from "../../kernel/access.ts";
import { limitedNetworks } from "../../kernel/networks.ts";

/** What an operation counts on. */
export const RATE_CATEGORIES = [
  "read",
  "verify",
  "validity",
  "write",
  "register",
  "normalise",
  "challenge",
  "sign-in",
  "token-check",
  "probe",
] as const;

export type RateCategory = (typeof RATE_CATEGORIES)[number];

type Tier = "free" | "standard" | "organization";

/** Every number of the limits by its name, as the specification sets it. Each can be configured. */
export const DEFAULT_RATE_LIMITS = {
  "free.minute": 60,
  "free.day": 10_000,
  /** Agents up to this token id are in the free tier, for ever. */
  "free.tokens": 10_000,
  "standard.minute": 120,
  "standard.day": 50_000,
  "organization.minute": 600,
  "organization.day": 500_000,
  "read.multiplier": 1,
  "verify.multiplier": 3,
  "validity.multiplier": 2,
  "write.multiplier": 0.1,
  "register.multiplier": 0.05,
  /** In every tier. */
  "register.day": 100,
  "normalise.minute": 10,
  /** Per address of the network. */
  "challenge.minute": 30,
  /** Per address of the network and wallet. */
  "challenge.wallet.minute": 10,
  "sign-in.minute": 30,
  "token-check.minute": 600,
  "probe.minute": 6_000,
  /** What all addresses of an IPv4 /24 or IPv6 /48 may do together, in limits of one address. */
  "site.multiplier": 16,
  /** The same of an IPv6 /32. */
  "provider.multiplier": 256,
} as const satisfies Record<string, number>;

export type RateLimitName = keyof typeof DEFAULT_RATE_LIMITS;
export type RateLimits = Readonly<Record<RateLimitName, number>>;

/** Counts what happens under a key. */
export interface RateCounters {
  /**
   * Adds to the key's window, which starts with its first count. `shares` is the number of counters
   * that the same requests are currently spread over: each may allow its share of a limit.
   *
   * @param by Default: 1.
   */
  increment(
    key: string,
    windowSeconds: number,
    by?: number,
  ): Promise<Count & { readonly shares: number }>;
  /** The count; null for zero. */
  read(key: string): Promise<Count | null>;
}

export interface Count {
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/** The counted caller. */
export interface RateSubject {
  /** The caller's address on the network, IPv6 by its /64. */
  readonly address: string;
  /** Null for anonymous callers. */
  readonly account: Account | null;
}

/** The caller's position: the content of the X-RateLimit headers. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends. */
  readonly resetAt: Date;
  /** Whole seconds to wait; null while the request is allowed. */
  readonly retryAfter: number | null;
}

interface Window {
  readonly key: string;
  readonly seconds: number;
  readonly limit: number;
}

const MINUTE = 60;
const DAY = 24 * 60 * 60;

/** Categories that count per network address, for every caller. */
const PER_ADDRESS = {
  challenge: "challenge.minute",
  "sign-in": "sign-in.minute",
  "token-check": "token-check.minute",
  probe: "probe.minute",
} as const satisfies Partial<Record<RateCategory, RateLimitName>>;

/** What decides how much a caller may do. */
interface LimitRules {
  readonly limits: RateLimits;
  /** Organizations whose members have the organization tier. */
  readonly organizations: ReadonlySet<bigint>;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Rate limits: fixed windows of a minute and a day. */
export function createRateLimiter({
  counters,
  clock,
  ...rules
}: LimitRules & { readonly counters: RateCounters; readonly clock: () => Date }) {
  /** A request rejected by the minute's limit is not counted on the day. */
  async function count(windows: readonly Window[], by = 1): Promise<RateState> {
    const states: RateState[] = [];
    for (const { key, seconds, limit } of windows) {
      const { count, endsInMs, shares } = await counters.increment(key, seconds, by);
      const state = stateOf(shareOf(limit, shares), count, endsInMs, clock());
      states.push(state);
      if (state.retryAfter !== null) break;
    }
    return tightest(states);
  }

  return {
    /** Counts a request. Returns the window with the fewest requests left. */
    take: (subject: RateSubject, category: RateCategory) =>
      count(windowsFor(rules, subject, category)),

    /** Counts a sign-in challenge for a wallet, beside `take`. */
    takeForWallet({ address }: RateSubject, wallet: string) {
      const key = `challenge-wallet:${MINUTE}:ip:${address}:${wallet.toLowerCase()}`;
      return count([{ key, seconds: MINUTE, limit: rules.limits["challenge.wallet.minute"] }]);
    },

    /** Counts `times` more at once, on the day's window alone, after a request was counted. */
    takeOfDay(subject: RateSubject, category: RateCategory, times: number) {
      const windows = windowsFor(rules, subject, category);
      return count(
        windows.filter(({ seconds }) => seconds === DAY),
        times,
      );
    },

    /** The caller's position, without counting. */
    async peek(subject: RateSubject, category: RateCategory): Promise<RateState> {
      const states = await Promise.all(
        windowsFor(rules, subject, category).map(async ({ key, seconds, limit }) => {
          const { count, endsInMs } = (await counters.read(key)) ?? {
            count: 0,
            endsInMs: seconds * 1000,
          };
          return { ...stateOf(limit, count, endsInMs, clock()), retryAfter: null };
        }),
      );
      return tightest(states);
    },
  };
}

/** The caller's own windows come first, so that a request that they refuse takes nothing from the neighbours in its network. */
function windowsFor(
  rules: LimitRules,
  { address, account }: RateSubject,
  category: RateCategory,
): Window[] {
  if (account !== null && !Object.hasOwn(PER_ADDRESS, category)) {
    return windowsOf(rules, account.subject, account, category);
  }
  const { limits } = rules;
  const [own, ...wider] = limitedNetworks(address);
  const windows = windowsOf(rules, `ip:${own}`, null, category);
  // Of networks wider than an address, narrowest first.
  const multipliers = [limits["site.multiplier"], limits["provider.multiplier"]];
  const inWider = wider.flatMap((network, width) =>
    windows.map(({ seconds, limit }) =>
      windowOf(category, `ip:${network}`, seconds, scaled(limit, multipliers[width] ?? 1)),
    ),
  );
  return [...windows, ...inWider];
}

function windowsOf(
  rules: LimitRules,
  subject: string,
  account: Account | null,
  category: RateCategory,
): Window[] {
  const { limits } = rules;
  if (Object.hasOwn(PER_ADDRESS, category)) {
    const limit = limits[PER_ADDRESS[category as keyof typeof PER_ADDRESS]];
    return [windowOf(category, subject, MINUTE, limit)];
  }
  if (category === "normalise") {
    return [windowOf(category, subject, MINUTE, limits["normalise.minute"])];
  }

  const tier = tierOf(rules, account);
  const times =
    limits[`${category as "read" | "verify" | "validity" | "write" | "register"}.multiplier`];
  const perDay =
    category === "register" ? limits["register.day"] : scaled(limits[`${tier}.day`], times);
  return [
    windowOf(category, subject, MINUTE, scaled(limits[`${tier}.minute`], times)),
    windowOf(category, subject, DAY, perDay),
  ];
}

function tierOf({ limits, organizations }: LimitRules, account: Account | null): Tier {
  if (account === null) return "free";
  if (organizations.has(account.organizationId)) return "organization";
  return account.tokenId !== null && account.tokenId > BigInt(limits["free.tokens"])
    ? "standard"
    : "free";
}

function stateOf(limit: number, count: number, endsInMs: number, at: Date): RateState {
  return {
    limit,
    remaining: Math.max(limit - count, 0),
    resetAt: new Date(at.getTime() + endsInMs),
    // Written as "fits", so that a count that is not a number is rejected.
    retryAfter: count <= limit ? null : Math.max(Math.ceil(endsInMs / 1000), 1),
  };
}

function windowOf(category: RateCategory, subject: string, seconds: number, limit: number): Window {
  return { key: `${category}:${seconds}:${subject}`, seconds, limit };
}

/** The exceeded window, else the one with the fewest requests left. */
export function tightest(states: readonly RateState[]): RateState {
  const [first, ...others] = states;
  if (first === undefined) throw new Error("There is no window.");
  return others.reduce((tight, state) => {
    if (tight.retryAfter !== null) return tight;
    return state.retryAfter !== null || state.remaining < tight.remaining ? state : tight;
  }, first);
}

/** Whole requests of a limit, at least one: an allowed operation is always possible once. */
function scaled(limit: number, times: number): number {
  // A product such as 0.29 * 100 falls just short of its whole number.
  return Math.max(Math.floor(limit * times + 1e-9), 1);
}

function shareOf(limit: number, shares: number): number {
  return Math.max(Math.floor(limit / shares), 1);
}
