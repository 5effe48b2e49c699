import { Redis } from "ioredis";
import type { Logger } from "pino";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible";
import type { Count, RateCounters } from "./rate-limits.ts";

/** The libraries' own limit is not used: the caller of a counter decides. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

const PREFIX = "svc-rate";

/** Pause after a failure of Redis, in milliseconds: requests in between do not wait for it. */
const REST_MS = 1_000;

/** Counts in this process. For one process, and while Redis is unavailable. */
export function memoryCounters(): RateCounters {
  const windows = new Map<number, RateLimiterMemory>();
  const limiter = byWindow(
    windows,
    (duration) => new RateLimiterMemory({ keyPrefix: "", points: UNLIMITED, duration }),
  );
  return {
    async increment(key, windowSeconds, by = 1) {
      return { ...countOf(await limiter(windowSeconds).penalty(key, by)), shares: 1 };
    },
    async read(key) {
      for (const window of windows.values()) {
        const found = await window.get(key);
        if (found !== null) return countOf(found);
      }
      return null;
    },
  };
}

/** The counter of each length of a window, made when it is first needed. */
function byWindow<Counter>(known: Map<number, Counter>, make: (seconds: number) => Counter) {
  return (seconds: number): Counter => {
    const counter = known.get(seconds) ?? make(seconds);
    known.set(seconds, counter);
    return counter;
  };
}

/**
 * Counts in Redis, for any number of processes. While it does not answer each process counts alone,
 * and allows its share of every limit. These counts start at zero, and Redis's continue when it is
 * back: in a window with an outage, a caller gets at most twice the limit.
 *
 * @param replicas How many processes share the limits: while Redis is unavailable each allows its share of them.
 * @param now Milliseconds, never going back.
 */
export function redisCounters({
  redis,
  replicas,
  log,
  now = () => performance.now(),
}: {
  readonly redis: Redis;
  readonly replicas: number;
  readonly log: Logger;
  readonly now?: () => number;
}): RateCounters {
  const alone = memoryCounters();
  const limiter = byWindow(
    new Map(),
    (duration) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: PREFIX,
        points: UNLIMITED,
        duration,
        rejectIfRedisNotReady: true,
      }),
  );

  let restUntil = Number.NEGATIVE_INFINITY;
  let away = false;

  async function withRedis<T>(ask: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    if (now() < restUntil) return otherwise();
    try {
      const answer = await ask();
      if (away) log.info("rate limits are counted in Redis again");
      away = false;
      return answer;
    } catch (error) {
      if (!away)
        log.warn({ err: error }, "Redis is away: this process counts its share of the limits");
      away = true;
      restUntil = now() + REST_MS;
      return otherwise();
    }
  }

  return {
    increment: (key, windowSeconds, by = 1) =>
      withRedis(
        async () => ({ ...countOf(await limiter(windowSeconds).penalty(key, by)), shares: 1 }),
        async () => ({ ...(await alone.increment(key, windowSeconds, by)), shares: replicas }),
      ),
    read: (key) =>
      withRedis(
        async () => {
          // Which window a key belongs to is in its name: any of them finds it.
          const found = await limiter(60).get(key);
          return found === null ? null : countOf(found);
        },
        () => alone.read(key),
      ),
  };
}

/** Longest time in milliseconds that a request waits for Redis. */
const COMMAND_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/**
 * A connection that reconnects itself, and whose commands fail at once while it is down: no request
 * waits for Redis.
 */
export function connectRedis(url: string, log: Logger): { readonly redis: Redis; close(): void } {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: 5_000,
    retryStrategy: (tries) => Math.min(tries * 100, LONGEST_PAUSE_MS),
  });
  // Without a listener every reconnect would be printed; the counters log what matters.
  redis.on("error", (error: Error) => log.debug({ err: error }, "the connection to Redis failed"));
  return { redis, close: () => redis.disconnect() };
}

function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { count: consumedPoints, endsInMs: msBeforeNext };
}
