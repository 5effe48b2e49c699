import type { Pool, PoolClient } from "pg";
import type { Lease } from "../chain/transactions.ts";
import { LeaseUnavailableError } from "../chain/transactions.ts";

/**
 * Leases as session-level advisory locks, each on its own connection. Postgres frees the lock when
 * the connection ends, even after a crash. The pool must lead to Postgres itself or to a pooler
 * that keeps sessions.
 */
export function createLease(pool: Pool): Lease {
  return {
    async hold(name, waitMs, work) {
      const client = await acquire(pool, name, waitMs);
      let lost: Error | undefined;
      const onError = (error: Error) => {
        lost = error;
      };
      client.on("error", onError);
      try {
        return await work(async () => {
          try {
            if (lost) throw lost;
            // A break may not have been reported yet: only an answer over this session proves that
            // it lives.
            await client.query("select 1");
          } catch (cause) {
            lost = cause instanceof Error ? cause : new Error(String(cause));
            throw new LeaseUnavailableError(`The lease ${name} was lost.`, { cause });
          }
        });
      } finally {
        await release(client, lost);
        client.off("error", onError);
      }
    },
  };
}

async function acquire(pool: Pool, name: string, waitMs: number): Promise<PoolClient> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    return client;
  } catch (cause) {
    // Do not reuse it: a lock granted after the wait was given up must end with its connection.
    client?.release(true);
    throw new LeaseUnavailableError(`No lease ${name} within ${waitMs} ms.`, { cause });
  }
}

/** A connection that could not be cleaned is not reused; closing it frees its locks as well. */
async function release(client: PoolClient, lost: Error | undefined): Promise<void> {
  try {
    if (lost) throw lost;
    await client.query("select pg_advisory_unlock_all()");
    await client.query("reset lock_timeout");
    client.release();
  } catch {
    client.release(true);
  }
}
