import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database } from "../database/connect.ts";
import type { Jobs } from "./queue.ts";

/** Recurring work starts within this time after it is due, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** A round beside one that still waits would have nothing to do. */
export const ONE_WAITING = "round";

export interface JobSchedule {
  /** Sends nothing more. */
  stop(): Promise<void>;
}

/**
 * Enqueues recurring work when it is due: every round once, for any number of processes, and at
 * once when this one starts. Time is the queue's clock.
 */
export async function startSchedule(db: Database, jobs: Jobs, log: Logger): Promise<JobSchedule> {
  const { clock, rules } = jobs;
  const rounds = Object.entries(rules).flatMap(([name, { everySeconds }]) =>
    everySeconds === null ? [] : [{ name, everySeconds }],
  );
  const isStopped = { value: false };
  let timer: unknown;
  let polling: Promise<void> = Promise.resolve();

  /**
   * The process that advances a round's time owns the round, and enqueues it in the same
   * transaction.
   */
  async function sendDue(): Promise<void> {
    const now = new Date(clock.now());
    await db.transaction(async (tx) => {
      for (const { name, everySeconds } of rounds) {
        const next = new Date(now.getTime() + everySeconds * 1000);
        const moved = await tx.execute(sql`update app.job_schedule set next_run_at = ${next}
          where name = ${name} and next_run_at <= ${now}`);
        if (moved.rowCount === 1) await jobs.send(tx, name, {}, { singletonKey: ONE_WAITING });
      }
    });
  }

  function poll(): void {
    polling = sendDue()
      .catch((error: unknown) => log.warn({ err: error }, "recurring jobs could not be sent"))
      .then(() => {
        if (!isStopped.value) timer = clock.setTimeout(poll, POLL_INTERVAL_MS);
      });
  }

  if (rounds.length > 0) {
    // A process may have died during any of them; its work should not wait for the next round.
    const now = new Date(clock.now());
    for (const { name } of rounds) {
      await db.execute(sql`insert into app.job_schedule (name, next_run_at) values (${name}, ${now})
        on conflict (name) do update set next_run_at = ${now}`);
    }
    poll();
  }
  return {
    async stop() {
      isStopped.value = true;
      clock.clearTimeout(timer);
      await polling;
    },
  };
}
