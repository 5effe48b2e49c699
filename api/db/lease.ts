import type { Pool } from "pg";
import { ApiError } from "../errors.ts";

/** What only one process at a time may do. */
export interface Lease {
  /**
   * Runs `work` while this process alone holds `name`. `assertHeld` throws as soon as that is no longer certain: call it right
   * before what must not be done twice.
   *
   * @throws ApiError CHAIN_UNAVAILABLE when another process holds it for longer than `waitMs`.
   */
  hold<T>(name: string, waitMs: number, work: (assertHeld: () => void) => Promise<T>): Promise<T>;
}

const LOCK_NOT_AVAILABLE = "55P03";

/** A lease as a session-level advisory lock: PostgreSQL itself frees it when its holder dies. */
export function createLease(pool: Pool): Lease {
  return {
    async hold(name, waitMs, work) {
      const client = await pool.connect();
      let lost: Error | undefined;
      const onError = (error: Error) => {
        lost = error;
      };
      client.on("error", onError);
      try {
        await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
        await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
        return await work(() => {
          if (lost) throw new ApiError("CHAIN_UNAVAILABLE", { cause: lost, retryAfter: 1 });
        });
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE) {
          throw new ApiError("CHAIN_UNAVAILABLE", {
            message: "Too many transactions are waiting to be sent.",
            cause: error,
            retryAfter: 5,
          });
        }
        throw error;
      } finally {
        const freed = await client
          .query("select pg_advisory_unlock_all()")
          .then(() => client.query("reset lock_timeout"))
          .then(
            () => true,
            () => false,
          );
        client.off("error", onError);
        // A connection that could not be cleaned must not serve anybody else.
        client.release(!freed);
      }
    },
  };
}
