import type { Pool } from "pg";

/** Postgres's code for a statement that took longer than it may. */
const TIMED_OUT = "57014";

/**
 * Runs statements in one transaction, of which the first takes every lock that readers may hold. It gives up before PostgreSQL
 * looks for deadlocks, so that none is ever found of which it is a part; no other read waits for longer either.
 *
 * @returns false when it gave up. Nothing has changed then.
 */
export async function changeQuietly(pool: Pool, statements: readonly string[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    // Several statements in one text are one transaction.
    await client.query(`
      select set_config('statement_timeout', greatest(setting::int / 2, 1)::text, true)
      from pg_settings where name = 'deadlock_timeout';
      ${statements.join(";\n")}`);
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === TIMED_OUT) return false;
    throw error;
  } finally {
    client.release();
  }
}
