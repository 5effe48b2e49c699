import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { DatabaseUnavailableError, isDatabaseUnavailable } from "./unavailable.ts";

/** Interval for checking a busy pool and for retrying a lost Postgres, in milliseconds. */
const CHECK_INTERVAL_MS = 250;
/** Postgres's code for too many connections. */
const TOO_MANY_CONNECTIONS = "53300";

/**
 * Ends waiting for a Postgres that does not answer. While connections of `pool` are in use, one
 * more connection runs `select 1`. Without an answer for `silenceMs` milliseconds, every connection
 * of the pool is broken: waiting callers get an error, and new ones are rejected until Postgres
 * answers again.
 *
 * A statement may run as long as it likes while Postgres answers: a long statement does not mean a
 * dead server.
 */
export function watchDatabase(
  pool: pg.Pool,
  options: { readonly databaseUrl: string; readonly silenceMs: () => number; readonly log: Logger },
) {
  const { databaseUrl, log } = options;
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => clients.add(client));
  pool.on("remove", (client) => clients.delete(client));

  const waiting = new Set<(reason: Error) => void>();
  let isLost = false;
  refuseWhileLost(pool, waiting, () => isLost);

  const probe = createProbe(databaseUrl);

  async function answers(): Promise<boolean> {
    const bound = new AbortController();
    const asked = probe.ask(bound.signal).then(
      () => true,
      (error: unknown) => refuses(error),
    );
    const tooLate = delay(options.silenceMs(), undefined, { signal: bound.signal }).then(
      // An answer may have arrived while this process was busy: read it first.
      () => nextTurn().then(() => false),
      () => false,
    );
    const isAlive = await Promise.race([asked, tooLate]);
    bound.abort();
    if (!isAlive) probe.drop();
    return isAlive;
  }

  async function check(): Promise<void> {
    const isIdle = pool.totalCount === pool.idleCount && pool.waitingCount === 0;
    if (isIdle && !isLost) return;
    const isAlive = await answers();
    if (isAlive === !isLost) return;
    isLost = !isAlive;
    if (isAlive) {
      log.info("the database answers again");
      return;
    }
    log.error(
      { silenceMs: options.silenceMs() },
      "the database does not answer; its connections are broken",
    );
    for (const reject of waiting) reject(new DatabaseUnavailableError());
    waiting.clear();
    for (const client of clients) breakConnection(client);
  }

  const stop = repeatedly(check, CHECK_INTERVAL_MS);
  return {
    async stop() {
      await stop();
      probe.drop();
    },
  };
}

/** Does `work` again and again with a pause in between, until the returned function is called, which resolves after the last time. */
export function repeatedly(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await work();
      // Rejects when the work is to end, which the loop then sees.
      await delay(pauseMs, undefined, { ref: false, signal: stopped.signal }).catch(() => {});
    }
  })();
  return async () => {
    stopped.abort();
    await running;
  };
}

/** The connection beside the pool that asks whether Postgres answers. */
function createProbe(databaseUrl: string) {
  let probe: pg.Client | undefined;

  async function ask(signal: AbortSignal): Promise<void> {
    if (probe !== undefined) {
      try {
        await probe.query("select 1");
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        // This connection alone may have ended: a new one decides.
        breakConnection(probe);
      }
    }
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: "agent-identity-watch",
      keepAlive: true,
    });
    // A connection that breaks while idle is noticed at the next query.
    client.on("error", () => {});
    probe = client;
    await client.connect();
    await client.query("select 1");
  }

  function drop(): void {
    breakConnection(probe);
    probe = undefined;
  }

  return { ask, drop };
}

/** Whether a failed query was answered: a server that rejects a connection is running. */
function refuses(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === TOO_MANY_CONNECTIONS || !isDatabaseUnavailable(error);
}

/** Rejects `connect` of the pool, which its `query` uses as well, without waiting for Postgres. */
function refuseWhileLost(
  pool: pg.Pool,
  waiting: Set<(reason: Error) => void>,
  isLost: () => boolean,
): void {
  const connect: () => Promise<pg.PoolClient> = pool.connect.bind(pool);

  function connectOrFail(): Promise<pg.PoolClient> {
    if (isLost()) return Promise.reject(new DatabaseUnavailableError());
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      connect().then(
        (client) => {
          // The waiting caller was already rejected.
          if (waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error: unknown) => {
          waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  type Callback = (
    error: Error | undefined,
    client: pg.PoolClient | undefined,
    done: (release?: Error | boolean) => void,
  ) => void;
  pool.connect = ((callback?: Callback) => {
    if (callback === undefined) return connectOrFail();
    connectOrFail().then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }) as typeof pool.connect;
}

/**
 * Breaks a connection without a message to the server, which would not answer. Its callers are
 * rejected.
 */
function breakConnection(client: pg.ClientBase | undefined): void {
  const { connection } = (client ?? {}) as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}
