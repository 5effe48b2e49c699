import type pg from "pg";
import { expect } from "vitest";

const WAIT_MS = 120_000;

/**
 * A killed indexer's schema stays locked for 25 seconds. This skips that wait, once the statements
 * that it had sent are done.
 *
 * @param pool Of one connection, so that every other one is the indexer's.
 */
export async function unlock(pool: pg.Pool, schema: string): Promise<void> {
  const others = async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return rows.length;
  };
  await expect.poll(others, { timeout: WAIT_MS }).toBe(0);
  await pool.query(
    `update "${schema}"._ponder_meta set value = jsonb_set(value, '{heartbeat_at}', '0')`,
  );
}
