import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database } from "../database/connect.ts";
import type { Jobs } from "./queue.ts";

/** Recurring work is due within this of its time, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** The round that is sent ahead of one that is still waiting would do nothing more. */
export const ONE_WAITING = "round";

export interface JobSchedule {
  /** Sends nothing more. */
  stop(): Promise<void>;
}

/**
 * Sends recurring work when it is due: every round once, however many processes have a schedule, and at once when this one
 * starts. Time is the queue's clock.
 */
export async function startSchedule(db: Database, jobs: Jobs, log: Logger): Promise<JobSchedule> {
  const { clock, rules } = jobs;
  const rounds = Object.entries(rules).flatMap(([name, { everySeconds }]) =>
    everySeconds === null ? [] : [{ name, everySeconds }],
  );
  const isStopped = { value: false };
  let timer: unknown;
  let looking: Promise<void> = Promise.resolve();

  /** Whoever moves a round's time on has the round, and sends it in the same transaction. */
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

  function look(): void {
    looking = sendDue()
      .catch((error: unknown) => log.warn({ err: error }, "recurring jobs could not be sent"))
      .then(() => {
        if (!isStopped.value) timer = clock.setTimeout(look, LOOK_EVERY_MS);
      });
  }

  if (rounds.length > 0) {
    // A process may have died in the middle of any of them, and what it left should not wait for the next round.
    const now = new Date(clock.now());
    for (const { name } of rounds) {
      await db.execute(sql`insert into app.job_schedule (name, next_run_at) values (${name}, ${now})
        on conflict (name) do update set next_run_at = ${now}`);
    }
    look();
  }
  return {
    async stop() {
      isStopped.value = true;
      clock.clearTimeout(timer);
      await looking;
    },
  };
}
