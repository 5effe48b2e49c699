import { AsyncLocalStorage } from "node:async_hooks";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { connectDatabase } from "./connect.ts";
import { parseLsn, positionToken } from "./positions.ts";
import { type ReadAfter, watchReplica } from "./replica.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

/**
 * Where reads of public lists go: to a replica, within operations whose rules permit it, or to the
 * primary. Nothing else has this pool: authority, single use and limits read `Database` alone.
 */
export interface Reads {
  /** For stores that only read. */
  readonly pool: Pool;
  /**
   * Runs an operation that may read a replica.
   *
   * @param after What its answer must contain.
   */
  within<T>(after: ReadAfter, work: () => Promise<T>): Promise<T>;
  /** Whether statements of the present operation may go to the replica. */
  mayReadReplica(): boolean;
  /** The end of the primary's log of writes, for clients to name; null without a replica. */
  position(): Promise<string | null>;
  /** Null without a replica. */
  readonly replica: Pick<ReturnType<typeof watchReplica>, "standing"> | null;
  close(): Promise<void>;
}

/** PostgreSQL's code for a read that the replay of a write interrupted. */
const REPLAY_CONFLICT = "40001";

export function createReads({
  primary,
  readUrl,
  maxLagMs,
  waitMs,
  silenceMs,
  log,
}: {
  readonly primary: Pool;
  readonly readUrl: string | undefined;
  readonly maxLagMs: number;
  readonly waitMs: number;
  readonly silenceMs: number;
  readonly log: Logger;
}): Reads {
  if (readUrl === undefined) {
    return {
      pool: primary,
      within: (_after, work) => work(),
      mayReadReplica: () => false,
      position: async () => null,
      replica: null,
      close: async () => {},
    };
  }
  const connection = connectDatabase(readOnly(readUrl), log.child({ server: "replica" }), {
    silenceMs,
  });
  const watch = watchReplica({
    primary,
    replica: connection.pool,
    maxLagMs,
    waitMs,
    log,
    now: () => performance.now(),
  });
  const onReplica = new AsyncLocalStorage<true>();
  const mayReadReplica = () => onReplica.getStore() === true;
  return {
    pool: routedPool(primary, connection.pool, mayReadReplica, watch.failed),
    async within(after, work) {
      return (await watch.mayRead(after)) ? onReplica.run(true, work) : work();
    },
    mayReadReplica,
    async position() {
      const { rows } = await primary.query<{ lsn: string }>(
        "select pg_current_wal_lsn()::text as lsn",
      );
      const [end] = rows;
      return end === undefined ? null : positionToken(parseLsn(end.lsn));
    },
    replica: watch,
    async close() {
      await watch.stop();
      await connection.close();
    },
  };
}

/** A promoted server takes writes: nothing may be written through this connection. */
function readOnly(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get("options");
  const setting = "-c default_transaction_read_only=on";
  url.searchParams.set("options", options === null ? setting : `${options} ${setting}`);
  return url.href;
}

/**
 * A pool whose statements run on the replica while they may, and on the primary otherwise. One that
 * the replica did not answer runs again on the primary. Transactions, which `connect` begins, are
 * always the primary's.
 */
function routedPool(
  primary: Pool,
  replica: Pool,
  mayRead: () => boolean,
  failed: () => void,
): Pool {
  const query = async (...statement: unknown[]) => {
    const on = (pool: Pool) => Reflect.apply(pool.query, pool, statement) as Promise<unknown>;
    if (!mayRead()) return on(primary);
    try {
      return await on(replica);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== REPLAY_CONFLICT && !isDatabaseUnavailable(error)) throw error;
      if (code !== REPLAY_CONFLICT) failed();
      return on(primary);
    }
  };
  return new Proxy(primary, {
    get: (pool, name) => (name === "query" ? query : Reflect.get(pool, name, pool)),
  });
}
