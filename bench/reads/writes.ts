import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** Milliseconds without a change after which the jobs that registrations began count as done. */
const CALM_MS = 5_000;
const MAX_WAIT_MS = 180_000;

export type Writes = Awaited<ReturnType<typeof connectWrites>>;

/** Writes of others into the service's database, which count as changes of what answers are made from. */
export async function connectWrites(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query("create table bench_write (count int not null)");
  await pool.query("insert into bench_write values (0)");
  await pool.query(`create trigger counted after update on bench_write
    for each statement execute function app.count_public_change()`);

  const changes = async (): Promise<string> =>
    (await pool.query("select last_value as count from app.public_change")).rows[0].count;

  return {
    /** Waits until no answer has changed for a while. */
    async calm(): Promise<void> {
      const started = performance.now();
      for (;;) {
        const before = await changes();
        await delay(CALM_MS);
        if ((await changes()) === before) return;
        if (performance.now() - started < MAX_WAIT_MS) continue;
        console.warn("The service did not come to rest: it goes on writing by itself.");
        return;
      }
    },
    /** Writes regularly until the returned function is called. */
    every(ms: number): () => void {
      const timer = setInterval(() => {
        pool.query("update bench_write set count = count + 1").catch((error: unknown) => {
          console.error("A write failed.", error);
        });
      }, ms);
      return () => clearInterval(timer);
    },
    close: () => pool.end(),
  };
}
