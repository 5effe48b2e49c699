import { sql } from "drizzle-orm";
import { fromDrizzle } from "pg-boss";
import type { Database } from "../db/connect.ts";
import { DEAD_LETTERS, type Jobs } from "./queue.ts";
import { ONE_WAITING } from "./schedule.ts";

/** What an operator asked for cannot be done. The message says why, and what can. */
export class JobsRefusedError extends Error {
  override readonly name = "JobsRefusedError";
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Puts failed jobs back at the start of their tries.
 *
 * @param which A job's id, or the name of a kind: all that failed of it, dead letters and those that wait for their next try.
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

/** Sends one round of recurring work at once; its schedule stays. @throws JobsRefusedError for any other job. */
export async function runRound(db: Database, jobs: Jobs, name: string): Promise<void> {
  assertKnown(jobs, name);
  if (jobs.rules[name]?.everySeconds === null) {
    const rounds = Object.keys(jobs.rules).filter((key) => jobs.rules[key]?.everySeconds !== null);
    throw new JobsRefusedError(
      `${name} runs when something makes it necessary, and would not know what to do. These can be run: ${rounds.join(", ")}.`,
    );
  }
  await db.transaction((tx) => jobs.send(tx, name, {}, { singletonKey: ONE_WAITING }));
}

function assertKnown({ rules }: Jobs, name: string): void {
  if (Object.hasOwn(rules, name)) return;
  throw new JobsRefusedError(
    `There is no job named ${name}. Known: ${Object.keys(rules).join(", ")}.`,
  );
}

/** The old job goes in the transaction in which the new one comes: pressed twice, it is one. */
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
