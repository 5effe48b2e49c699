import { inArray } from "drizzle-orm";
import type { Database } from "../../../platform/database/connect.ts";
import type { JobQueue } from "../../../platform/jobs/ports.ts";
import { sendSnapshots } from "../job-names.ts";
import { alignmentSnapshot } from "../tables.ts";
import { UNFINISHED } from "./snapshots.ts";

export const isUnfinished = inArray(alignmentSnapshot.state, [...UNFINISHED]);

/** Queues the job again while a snapshot is unfinished. */
export async function continueUnfinished(db: Database, jobs: JobQueue, now: Date): Promise<void> {
  const [unfinished] = await db
    .select({ id: alignmentSnapshot.id })
    .from(alignmentSnapshot)
    .where(isUnfinished)
    .limit(1);
  if (unfinished !== undefined) await db.transaction((tx) => sendSnapshots(jobs, tx, now));
}
