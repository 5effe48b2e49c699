import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { fromDrizzle } from "pg-boss";
import type { Database } from "../database/connect.ts";
import { DEAD_LETTERS, type Jobs } from "./queue.ts";
import { ONE_WAITING } from "./schedule.ts";

/** The operator's request cannot be carried out. The message says why, and what to do. */
export class JobsRefusedError extends Error {
  override readonly name = "JobsRefusedError";
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Resets failed jobs to their first attempt.
 *
 * @param which A job's id, or the name of a kind: all its failed jobs, dead letters and those
 * waiting for a retry.
 * @returns How many.
 * @throws JobsRefusedError when there is no such kind, or no such failed job.
 */
export async function retryJobs(db: Database, jobs: Jobs, which: string): Promise<number> {
  if (UUID.test(which)) return retryOne(db, jobs, which);
  assertKnown(jobs, which);
  const { rows } = await db.execute<{ id: string }>(sql`select id from jobs.job
    where (name = ${DEAD_LETTERS} and state = 'created' and source_name = ${which})
      or (name = ${which} and state = 'retry') order by created_on`);
  for (const { id } of rows) await retryOne(db, jobs, id);
  return rows.length;
}

/**
 * Enqueues a job at once; its schedule is unchanged.
 *
 * @throws JobsRefusedError for a job that needs ids.
 */
export async function runRound(db: Database, jobs: Jobs, name: string): Promise<void> {
  assertKnown(jobs, name);
  if (jobs.rules[name]?.sentWith !== "nothing") {
    const runnable = Object.keys(jobs.rules).filter(
      (key) => jobs.rules[key]?.sentWith === "nothing",
    );
    throw new JobsRefusedError(
      `${name} runs when something makes it necessary, and would not know what to do. These can be run: ${runnable.join(", ")}.`,
    );
  }
  await db.transaction((tx) => jobs.send(tx, name, {}, { singletonKey: ONE_WAITING }));
}

/** Interval at which an operator's command polls the job, in milliseconds. */
const LOOK_EVERY_MS = 200;

/**
 * As {@link runRound}, and waits until a worker has completed it.
 *
 * @throws JobsRefusedError when it fails or takes longer than `waitMs`; the job remains queued.
 */
export async function runAndWait(
  db: Database,
  jobs: Jobs,
  name: string,
  waitMs: number,
): Promise<void> {
  await runRound(db, jobs, name);
  const { rows } = await db.execute<{ id: string }>(sql`select id from jobs.job
    where name = ${name} and singleton_key = ${ONE_WAITING} order by created_on desc limit 1`);
  const id = rows[0]?.id;
  const end = performance.now() + waitMs;
  for (;;) {
    const { rows: found } = await db.execute<{ state: string; error: string | null }>(
      sql`select state::text as state, coalesce(output ->> 'message', output ->> 'value') as error
        from jobs.job where name = ${name} and id = ${id}`,
    );
    const { state = "gone", error } = found[0] ?? {};
    if (state === "completed") return;
    if (state === "retry" || state === "failed" || state === "gone") {
      const next = state === "retry" ? " It will be tried again." : "";
      throw new JobsRefusedError(`${name} failed: ${error ?? "its process ended"}.${next}`);
    }
    if (performance.now() >= end) {
      throw new JobsRefusedError(
        state === "active"
          ? `${name} is still running; npm run jobs -- list shows how it ends.`
          : `No process has taken ${name} yet. It runs as soon as one that runs jobs (SVC_ROLES) is free.`,
      );
    }
    await delay(LOOK_EVERY_MS);
  }
}

function assertKnown({ rules }: Jobs, name: string): void {
  if (Object.hasOwn(rules, name)) return;
  throw new JobsRefusedError(
    `There is no job named ${name}. Known: ${Object.keys(rules).join(", ")}.`,
  );
}

/** The old job is deleted in the transaction that inserts the new one: two calls make one job. */
async function retryOne(db: Database, jobs: Jobs, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{
      name: string;
      source: string | null;
      data: Record<string, string | number>;
      key: string | null;
    }>(sql`delete from jobs.job where id = ${id}
        and ((name = ${DEAD_LETTERS} and state = 'created') or state = 'retry')
      returning name, source_name as source, data, singleton_key as key`);
    const [row] = rows;
    if (!row) throw new JobsRefusedError(`No job ${id} has failed and waits.`);
    const name = row.source ?? row.name;
    assertKnown(jobs, name);
    await jobs.boss.send(name, row.data, {
      db: fromDrizzle(tx, sql),
      ...(row.key !== null && { singletonKey: row.key }),
    });
    return 1;
  });
}
