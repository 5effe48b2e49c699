import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import { noteStatement } from "./public-statements.ts";
import { watchDatabase } from "./watch.ts";

export type Database = NodePgDatabase;

/** What a store needs to run its statements: the database, or a transaction on it. */
export type Executor = Pick<Database, "select" | "insert" | "update" | "delete" | "execute">;

export type DatabaseConnection = ReturnType<typeof connectDatabase>;

export interface PoolLimits {
  readonly maxConnections: number;
  /** Milliseconds to wait for a connection. */
  readonly connectMs: number;
  /** Milliseconds one statement may run. */
  readonly statementMs: number;
  /** Milliseconds for which Postgres may be silent before everything that waits for it fails. */
  readonly silenceMs: number;
  /**
   * The same while the process starts, if it is longer. A start keeps the processor busy, and a
   * failure ends it.
   */
  readonly startSilenceMs: number;
}

const DEFAULT_POOL: PoolLimits = {
  maxConnections: 20,
  connectMs: 5_000,
  statementMs: 15_000,
  silenceMs: 10_000,
  startSilenceMs: 0,
};

/** The name of a process's connections in `pg_stat_activity`. */
export const APPLICATION_NAME = "agent-identity-api";

/**
 * A pool that survives a restart of Postgres: broken connections leave it, and the next query opens
 * a new one. It connects at the first query. For a Postgres that stops answering see
 * `watchDatabase`.
 */
export function connectDatabase(
  databaseUrl: string,
  log: Logger,
  overrides: Partial<PoolLimits> = {},
) {
  const limits = { ...DEFAULT_POOL, ...overrides };
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: APPLICATION_NAME,
    max: limits.maxConnections,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: limits.statementMs,
    // The server cannot report its own silence: this bounds the wait on a dead connection.
    query_timeout: limits.statementMs + 1_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  // The same for one that breaks in use, between two statements of a transaction: the next one
  // rejects.
  pool.on("connect", (client) => client.on("error", () => {}));

  // It is given a text, or an object with one.
  const query = pool.query.bind(pool) as (...statement: unknown[]) => unknown;
  pool.query = ((statement: unknown, ...rest: unknown[]) => {
    noteStatement(
      typeof statement === "string" ? statement : (statement as { text?: string }).text,
    );
    return query(statement, ...rest);
  }) as typeof pool.query;

  let isStarting = true;
  const silenceMs = () =>
    isStarting ? Math.max(limits.silenceMs, limits.startSilenceMs) : limits.silenceMs;
  const watch = watchDatabase(pool, { databaseUrl, silenceMs, log });

  const db = drizzle(pool);
  // Drizzle's own keeps a connection for ever when its `begin` fails, until the pool has none left.
  db.transaction = async (work, config) => {
    noteStatement(undefined);
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return {
    db,
    pool,
    /** The process has started: from now on `silenceMs` is the limit. */
    started() {
      isStarting = false;
    },
    /** Ends every connection, after its running statement. */
    async close() {
      await watch.stop();
      await pool.end();
    },
  };
}
