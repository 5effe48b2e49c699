import { inArray, ne } from "drizzle-orm";
import type { Database } from "../../../platform/database/connect.ts";
import { runAndWait } from "../../../platform/jobs/admin.ts";
import type { JobHandler } from "../../../platform/jobs/ports.ts";
import type { Jobs } from "../../../platform/jobs/queue.ts";
import { CHRONICLE_JOBS } from "../job-names.ts";
import { chronicleBatch } from "../tables.ts";
import type { BatchReport, ChronicleBatches } from "./batches.ts";

/** Batches what is queued; see `ChronicleBatches.run`. */
export function chronicleBatchJob(batches: ChronicleBatches): JobHandler {
  return async (_data, signal) => {
    await batches.run(signal);
  };
}

/** Follows what is batched; see `ChronicleBatches.follow`. */
export function chronicleFollowJob(batches: ChronicleBatches): JobHandler {
  return async (_data, signal) => {
    await batches.follow(signal);
  };
}

/**
 * One run at an operator's request, with a report of one sentence. Only a process that runs jobs has the keys for it.
 *
 * @param waitMs How long to wait for its end.
 * @throws JobsRefusedError when it fails, or has not ended in that time.
 */
export async function runBatchNow(db: Database, jobs: Jobs, waitMs: number): Promise<string> {
  const before = await batchesOf(db);
  await runAndWait(db, jobs, CHRONICLE_JOBS.batch, waitMs);
  const after = await batchesOf(db);
  const added = (stage: "anchored" | "confirmed") =>
    after[stage].filter((id) => !before[stage].includes(id));
  return reportText({
    anchored: added("anchored"),
    confirmed: added("confirmed"),
    waiting: after.unconfirmed,
  });
}

/** Ids of what is mined, the confirmed ones included, and of what is confirmed; and how many are not confirmed yet. */
async function batchesOf(db: Database) {
  const mined = await db
    .select({ id: chronicleBatch.id, stage: chronicleBatch.stage })
    .from(chronicleBatch)
    .where(inArray(chronicleBatch.stage, ["anchored", "confirmed"]))
    .orderBy(chronicleBatch.id);
  return {
    anchored: mined.map(({ id }) => id),
    confirmed: mined.filter(({ stage }) => stage === "confirmed").map(({ id }) => id),
    unconfirmed: await db.$count(chronicleBatch, ne(chronicleBatch.stage, "confirmed")),
  };
}

function reportText({ anchored, confirmed, waiting }: BatchReport): string {
  const ids = (list: readonly bigint[]) => (list.length === 0 ? "none" : list.join(", "));
  return `Batches anchored: ${ids(anchored)}; confirmed: ${ids(confirmed)}; not confirmed yet: ${waiting}.`;
}
