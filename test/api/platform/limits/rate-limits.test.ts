import { describe, expect, it, vi } from "vitest";
import type { Access, Account } from "../../../../api/kernel/access.ts";
import type { Caller } from "../../../../api/kernel/callers.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { parseNetwork } from "../../../../api/kernel/networks.ts";
import type { Gate } from "../../../../api/platform/http/env.ts";
import { memoryCounters } from "../../../../api/platform/limits/rate-counters.ts";
import type {
  RateCategory,
  RateCounters,
  RateLimits,
} from "../../../../api/platform/limits/rate-limits.ts";
import {
  createRateLimiter,
  DEFAULT_RATE_LIMITS,
} from "../../../../api/platform/limits/rate-limits.ts";
import { testApp } from "../../helpers.ts";

const NOW = new Date("2026-03-04T05:06:07.500Z");

/** Counters whose windows end when the test says so. */
function heldCounters() {
  const counts = new Map<string, number>();
  const counters: RateCounters & { shares: number } = {
    shares: 1,
    async increment(key, windowSeconds, by = 1) {
      const count = (counts.get(key) ?? 0) + by;
      counts.set(key, count);
      return { count, endsInMs: windowSeconds * 1000 - 250, shares: counters.shares };
    },
    async read(key) {
      const count = counts.get(key);
      return count === undefined ? null : { count, endsInMs: 1_000 };
    },
  };
  return { counters, counts };
}

function limiterOf(options: { counters?: RateCounters; limits?: Partial<RateLimits> } = {}) {
  return createRateLimiter({
    counters: options.counters ?? heldCounters().counters,
    limits: { ...DEFAULT_RATE_LIMITS, ...options.limits },
    organizations: new Set([5n]),
    clock: () => NOW,
  });
}

const anonymous = { address: "203.0.113.7", account: null };
const agent = (tokenId: bigint, organizationId = 0n): Account => ({
  subject: `agent:${tokenId}`,
  tokenId,
  organizationId,
});

describe("a limit", () => {
  const accounts: Record<string, Account | null> = {
    anonymous: null,
    "agent 10000": agent(10_000n),
    "agent 10001": agent(10_001n),
    "a member of organization 5": agent(10_001n, 5n),
    "a member of organization 6": agent(9n, 6n),
    "a registration": { subject: "registration:x", tokenId: null, organizationId: 0n },
  };

  it.each<[string, RateCategory, number, number | null]>([
    ["anonymous", "read", 60, 10_000],
    ["anonymous", "verify", 180, 30_000],
    ["anonymous", "validity", 120, 20_000],
    ["anonymous", "write", 6, 1_000],
    ["anonymous", "register", 3, 100],
    ["anonymous", "normalise", 10, null],
    ["anonymous", "challenge", 30, null],
    ["anonymous", "sign-in", 30, null],
    ["anonymous", "token-check", 600, null],
    ["agent 10000", "read", 60, 10_000],
    ["agent 10001", "read", 120, 50_000],
    ["agent 10001", "verify", 360, 150_000],
    ["agent 10001", "write", 12, 5_000],
    ["agent 10001", "register", 6, 100],
    ["a member of organization 5", "read", 600, 500_000],
    ["a member of organization 5", "register", 30, 100],
    ["a member of organization 6", "read", 60, 10_000],
    ["a registration", "read", 60, 10_000],
    ["agent 10001", "sign-in", 30, null],
  ])("of %s for %s is %d a minute and %s a day", async (who, category, minute, day) => {
    const account = accounts[who] ?? null;
    const seconds = async (limits: Partial<RateLimits>) => {
      const limiter = limiterOf({ limits });
      return limiter.take({ address: "203.0.113.7", account }, category);
    };
    expect((await seconds({})).limit).toBe(minute);
    // With an unlimited minute only the day's limit applies.
    const endless = Object.fromEntries(
      Object.keys(DEFAULT_RATE_LIMITS)
        .filter((name) => name.endsWith(".minute"))
        .map((name) => [name, 1e12]),
    );
    const { limit } = await seconds(endless);
    if (day === null) expect(limit).toBe(1e12);
    else expect(limit).toBe(day);
  });

  it("accepts the last request and refuses the next, until the window ends", async () => {
    const limiter = limiterOf({ limits: { "free.minute": 2 } });
    const resetAt = new Date(NOW.getTime() + 59_750);
    expect(await limiter.take(anonymous, "read")).toEqual({
      limit: 2,
      remaining: 1,
      resetAt,
      retryAfter: null,
    });
    expect(await limiter.take(anonymous, "read")).toEqual({
      limit: 2,
      remaining: 0,
      resetAt,
      retryAfter: null,
    });
    expect(await limiter.take(anonymous, "read")).toEqual({
      limit: 2,
      remaining: 0,
      resetAt,
      retryAfter: 60,
    });
  });

  it("reports the day when fewer requests are left in it, and counts no refused minute on it", async () => {
    const { counters, counts } = heldCounters();
    const limits = { "free.minute": 2, "free.day": 3 };
    const limiter = limiterOf({ counters, limits });
    const standings = [];
    for (let turn = 0; turn < 4; turn += 1) standings.push(await limiter.take(anonymous, "read"));
    expect(standings.map(({ limit, remaining }) => [limit, remaining])).toEqual([
      [2, 1],
      [2, 0],
      [2, 0],
      [2, 0],
    ]);
    expect(counts.get("read:86400:ip:203.0.113.7")).toBe(2);
    counts.set("read:60:ip:203.0.113.7", 0);
    expect((await limiter.take(anonymous, "read")).retryAfter).toBeNull();
    expect(await limiter.take(anonymous, "read")).toMatchObject({ limit: 3, retryAfter: 86_400 });
  });

  it("counts what a batch holds on the day alone, up to the limit", async () => {
    const { counters, counts } = heldCounters();
    const limiter = limiterOf({ counters, limits: { "free.minute": 20, "register.day": 5 } });
    await limiter.take(anonymous, "register");
    const increment = vi.spyOn(counters, "increment");
    expect((await limiter.takeOfDay(anonymous, "register", 4)).retryAfter).toBeNull();
    expect(increment.mock.calls).toEqual([
      ["register:86400:ip:203.0.113.7", 86_400, 4],
      ["register:86400:ip:203.0.113.0/24", 86_400, 4],
    ]);
    expect(counts.get("register:86400:ip:203.0.113.7")).toBe(5);
    expect(counts.get("register:60:ip:203.0.113.7")).toBe(1);
    expect((await limiter.takeOfDay(anonymous, "register", 4)).retryAfter).toBe(86_400);
    expect(counts.get("register:86400:ip:203.0.113.7")).toBe(9);
  });

  it("is separate for each caller and category, with any key or address", async () => {
    const { counters, counts } = heldCounters();
    const limiter = limiterOf({ counters });
    const one = agent(1n);
    await limiter.take({ address: "203.0.113.7", account: one }, "read");
    await limiter.take({ address: "203.0.113.8", account: one }, "read");
    await limiter.take({ address: "203.0.113.8", account: null }, "read");
    await limiter.take({ address: "203.0.113.8", account: one }, "write");
    await limiter.takeForWallet(anonymous, "0xABC");
    await limiter.takeForWallet(anonymous, "0xabc");
    expect([...counts].filter(([key]) => !key.includes("86400"))).toEqual([
      ["read:60:agent:1", 2],
      ["read:60:ip:203.0.113.8", 1],
      ["read:60:ip:203.0.113.0/24", 1],
      ["write:60:agent:1", 1],
      ["challenge-wallet:60:ip:203.0.113.7:0xabc", 2],
    ]);
  });

  it.each<[string, number, (client: number) => string]>([
    ["/24 of IPv4", 16, (client) => `203.0.113.${client}`],
    ["/48 of IPv6", 16, (client) => `2001:db8:1:${client}::/64`],
    ["/32 of IPv6", 256, (client) => `2001:db8:${client}:1::/64`],
  ])("is for a whole %s %d times that of one address", async (_network, times, address) => {
    const limiter = limiterOf({ limits: { "sign-in.minute": 2 } });
    const signIn = (client: number) =>
      limiter.take({ address: address(client), account: null }, "sign-in");
    const accepted = { limit: 2, remaining: 1, resetAt: expect.any(Date), retryAfter: null };
    expect(await signIn(0)).toEqual(accepted);
    // A client that is refused for itself takes nothing from its neighbours.
    for (let turn = 0; turn < 5; turn += 1) await signIn(0);
    for (let client = 1; client < times; client += 1) {
      await signIn(client);
      await signIn(client);
    }
    expect(await signIn(times)).toEqual({
      limit: 2 * times,
      remaining: 0,
      resetAt: expect.any(Date),
      retryAfter: 60,
    });
    expect((await limiter.take({ address: "198.51.100.1", account: null }, "sign-in")).limit).toBe(
      2,
    );
    const key = { address: address(times), account: agent(7n) };
    expect((await limiter.take(key, "read")).retryAfter).toBeNull();
  });

  it("is divided when every process counts alone, but never to zero", async () => {
    const { counters } = heldCounters();
    counters.shares = 4;
    const limiter = limiterOf({ counters });
    expect((await limiter.take(anonymous, "read")).limit).toBe(15);
    expect((await limiter.take(anonymous, "register")).limit).toBe(1);
  });

  it("refuses a count that is not a number", async () => {
    const counters: RateCounters = {
      increment: async () => ({ count: Number.NaN, endsInMs: 5, shares: 1 }),
      read: async () => null,
    };
    expect(await limiterOf({ counters }).take(anonymous, "read")).toMatchObject({ retryAfter: 1 });
  });
});

describe("counting in memory", () => {
  it("starts a window with its first request, and keeps its count", async () => {
    const counters = memoryCounters();
    expect(await counters.read("k")).toBeNull();
    expect(await counters.increment("k", 60)).toMatchObject({ count: 1, shares: 1 });
    expect(await counters.increment("k", 60, 49)).toMatchObject({ count: 50, shares: 1 });
    const found = await counters.read("k");
    expect(found?.count).toBe(50);
    expect(found?.endsInMs).toBeGreaterThan(0);
    expect(found?.endsInMs).toBeLessThanOrEqual(60_000);
    expect(await counters.increment("other", 60)).toMatchObject({ count: 1 });
  });
});

/** An app with real limits in memory, called from the given addresses. */
function limitedApp(limits: Partial<RateLimits>, access?: Partial<Access>) {
  const gate: Partial<Gate> = {
    rates: createRateLimiter({
      counters: memoryCounters(),
      limits: { ...DEFAULT_RATE_LIMITS, ...limits },
      organizations: new Set(),
      clock: () => new Date(),
    }),
    trustedProxies: [parseNetwork("10.0.0.0/8") ?? []].flatMap((network) =>
      network.length === 2 ? [network as never] : [],
    ),
    ...(access === undefined
      ? {}
      : { access: { authorise: async () => {}, authenticate: async () => anyone, ...access } }),
  };
  const app = testApp({
    ...gate,
    names: {
      check: async () => ({ available: true }),
      suggest: async (name: string) => ({ available: true, suggestion: name }),
    } as never,
    signIn: {
      store: { issue: async () => {} },
      clock: () => NOW,
      domain: "agents.example",
      uri: "https://agents.example",
      chainId: 31_337,
    } as never,
  });
  const call = (path: string, init: RequestInit = {}, peer = "203.0.113.7") =>
    app.request(path, init, { incoming: { socket: { remoteAddress: peer } } } as never);
  return { app, call };
}

const anyone = { caller: { kind: "anonymous" } as Caller, account: null };

const standing = (response: Response | undefined) => ({
  status: response?.status,
  limit: response?.headers.get("X-RateLimit-Limit"),
  remaining: response?.headers.get("X-RateLimit-Remaining"),
});

describe("an answer", () => {
  it("states the caller's rate limit, with any status", async () => {
    const { call } = limitedApp({ "free.minute": 9 });
    const answers = [
      await call("/v1/name-available/aurora"),
      await call("/v1/name-available/aurora", { method: "HEAD" }),
      await call("/v1/profile/-x-"),
      await call("/no/such/path"),
      await call("/v1/name-available/aurora", {
        method: "OPTIONS",
        headers: { Origin: "https://x.example", "Access-Control-Request-Method": "GET" },
      }),
    ];
    expect(answers.map(standing)).toEqual([
      { status: 200, limit: "9", remaining: "8" },
      { status: 200, limit: "9", remaining: "7" },
      { status: 400, limit: "9", remaining: "6" },
      { status: 404, limit: "9", remaining: "5" },
      { status: 204, limit: "9", remaining: "5" },
    ]);
    for (const { headers } of answers) {
      const reset = Number(headers.get("X-RateLimit-Reset"));
      expect(reset).toBeGreaterThan(Date.now() / 1000 - 1);
      expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 60);
    }
    expect(standing(await call("/health"))).toEqual({
      status: 200,
      limit: "6000",
      remaining: "5999",
    });
  });

  it("is 429 past the limit, with the time to wait, and has no effect", async () => {
    const { call } = limitedApp({ "free.minute": 1 });
    await call("/v1/name-available/aurora");
    for (const path of ["/v1/name-available/aurora", "/no/such/path"]) {
      const refused = await call(path);
      expect(refused.status).toBe(429);
      const body = (await refused.json()) as { error: Record<string, unknown> };
      const retryAfter = Number(refused.headers.get("Retry-After"));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(body.error).toEqual({
        code: 429,
        type: "RATE_LIMIT_EXCEEDED",
        message: "Too many requests.",
        retryAfter,
        details: {
          limit: 1,
          resetAt: expect.stringMatching(/^\d{4}-.*Z$/),
          requestId: refused.headers.get("X-Request-Id"),
        },
      });
      expect(standing(refused)).toEqual({ status: 429, limit: "1", remaining: "0" });
      expect(refused.headers.get("Cache-Control")).toBe("no-store");
    }
    // Another client has its own limit, behind a proxy and in front of it.
    expect((await call("/v1/name-available/aurora", {}, "203.0.113.8")).status).toBe(200);
    const behind = { headers: { "X-Forwarded-For": "203.0.113.9" } };
    expect((await call("/v1/name-available/aurora", behind, "10.0.0.1")).status).toBe(200);
    expect((await call("/v1/name-available/aurora", behind, "10.0.0.2")).status).toBe(429);
  });

  it("counts an invalid credential on the address that it came from", async () => {
    const refuse = async () => {
      throw new ApiError("UNAUTHORIZED");
    };
    const { call } = limitedApp({ "free.minute": 2 }, { authenticate: refuse });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) {
      statuses.push(standing(await call("/v1/name-available/aurora")));
    }
    expect(statuses).toEqual([
      { status: 401, limit: "2", remaining: "1" },
      { status: 401, limit: "2", remaining: "0" },
      { status: 429, limit: "2", remaining: "0" },
    ]);
  });

  it("counts a key on its agent, wherever it is used", async () => {
    const authenticate = async () => ({
      caller: {
        kind: "full" as const,
        id: "agent:20000:1",
        tokenId: 20_000n,
        epoch: 1,
        suspended: false,
      },
      account: agent(20_000n),
    });
    const { call } = limitedApp({ "standard.minute": 3 }, { authenticate });
    await call("/v1/name-available/aurora", {}, "203.0.113.1");
    const second = await call("/v1/name-available/aurora", {}, "203.0.113.2");
    expect(standing(second)).toEqual({ status: 200, limit: "3", remaining: "1" });
  });

  it("to a challenge also counts on the wallet, in any spelling", async () => {
    const { call } = limitedApp({ "challenge.wallet.minute": 2, "challenge.minute": 4 });
    const challenge = (address: string, peer?: string) =>
      call(
        "/api/v1/auth/challenge",
        {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ address }),
        },
        peer,
      );
    const wallet = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
    expect(standing(await challenge(wallet))).toMatchObject({ status: 200, limit: "2" });
    expect((await challenge(wallet.toLowerCase())).status).toBe(200);
    expect(standing(await challenge(wallet))).toEqual({ status: 429, limit: "2", remaining: "0" });
    expect((await challenge(wallet, "203.0.113.8")).status).toBe(200);
    const another = `0x${"1".repeat(40)}`;
    expect((await challenge(another)).status).toBe(200);
    expect(standing(await challenge(another))).toMatchObject({ status: 429, limit: "4" });
  });
});
