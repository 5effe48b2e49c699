import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connectRedis, redisCounters } from "../../../../api/platform/limits/rate-counters.ts";
import {
  createRateLimiter,
  DEFAULT_RATE_LIMITS,
} from "../../../../api/platform/limits/rate-limits.ts";
import type { TestRedis } from "../../../fixtures/redis.ts";
import { hasRedis, startRedis } from "../../../fixtures/redis.ts";
import { capturedLog, testApp } from "../../helpers.ts";

const LIMIT = 200;
const REPLICAS = 2;
const WAVE = 10;
const WAIT = { timeout: 20_000 };

/** One of several processes that share a Redis: its own connection, counters and application. */
function replica(url: string) {
  const { log, entries } = capturedLog("info");
  const { redis, close } = connectRedis(url, log);
  const time = { now: 0 };
  const counters = redisCounters({ redis, replicas: REPLICAS, log, now: () => time.now });
  const app = testApp({
    rates: createRateLimiter({
      counters,
      limits: { ...DEFAULT_RATE_LIMITS, "free.minute": LIMIT },
      organizations: new Set(),
      clock: () => new Date(),
    }),
    names: { suggest: async (name: string) => ({ available: true, suggestion: name }) } as never,
  });
  const call = async (peer: string) => {
    const incoming = { socket: { remoteAddress: peer } };
    return app.request("/v1/name-available/aurora", {}, { incoming } as never);
  };
  return {
    redis,
    close,
    time,
    call,
    messages: () =>
      entries()
        .map(({ msg }) => msg)
        .filter((msg) => msg !== "request"),
    /**
     * How many of `count` requests pass, sent in waves: a busy machine must not take long for one
     * of them.
     */
    async passing(count: number, peer: string) {
      let passed = 0;
      for (let sent = 0; sent < count; sent += WAVE) {
        const wave = Array.from({ length: Math.min(WAVE, count - sent) }, () => call(peer));
        const statuses = (await Promise.all(wave)).map(({ status }) => status);
        expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
        passed += statuses.filter((status) => status === 200).length;
      }
      return passed;
    },
  };
}

const AWAY = "Redis is away: this process counts its share of the limits";
const BACK = "rate limits are counted in Redis again";

describe.skipIf(!hasRedis)(
  "limits counted in Redis (skipped where redis-server is missing)",
  () => {
    let server: TestRedis;
    let replicas: ReturnType<typeof replica>[];

    beforeAll(async () => {
      server = await startRedis();
      replicas = [replica(server.url), replica(server.url)];
      await vi.waitFor(() => {
        for (const { redis } of replicas) expect(redis.status).toBe("ready");
      }, WAIT);
    });
    afterAll(async () => {
      for (const { close } of replicas ?? []) close();
      await server?.kill();
    });

    const allPassing = async (count: number, peer: string) => {
      const passed = await Promise.all(replicas.map(({ passing }) => passing(count, peer)));
      return passed.reduce((sum, one) => sum + one, 0);
    };

    it("apply to all processes together", async () => {
      const passed = await allPassing(LIMIT, "203.0.113.1");
      expect(passed).toBeGreaterThanOrEqual(LIMIT * 0.95);
      expect(passed).toBeLessThanOrEqual(LIMIT * 1.05);
      const [one] = replicas;
      const refused = await one?.call("203.0.113.1");
      expect(refused?.headers.get("X-RateLimit-Limit")).toBe(String(LIMIT));
      expect(refused?.headers.get("X-RateLimit-Remaining")).toBe("0");
      expect(await one?.passing(1, "203.0.113.2")).toBe(1);
    });

    it("are split among the processes while Redis is away, and counted there again after", async () => {
      expect(await allPassing(10, "203.0.113.3")).toBe(20);
      await server.kill();
      // The counts in Redis cannot be read: each process lets through its half, and no more.
      expect(await allPassing(LIMIT, "203.0.113.3")).toBe(LIMIT);
      expect(await allPassing(LIMIT, "203.0.113.3")).toBe(0);
      expect((await replicas[0]?.call("203.0.113.4"))?.headers.get("X-RateLimit-Limit")).toBe(
        String(LIMIT / REPLICAS),
      );
      for (const { messages } of replicas) expect(messages()).toEqual([AWAY]);

      await server.restart();
      await vi.waitFor(() => {
        for (const { redis } of replicas) expect(redis.status).toBe("ready");
      }, WAIT);
      // Left alone for a second after it failed.
      expect(await allPassing(1, "203.0.113.3")).toBe(0);
      for (const { time } of replicas) time.now += 1_000;
      expect(await allPassing(LIMIT, "203.0.113.3")).toBe(LIMIT);
      for (const { messages } of replicas) expect(messages()).toEqual([AWAY, BACK]);
    });
  },
);
