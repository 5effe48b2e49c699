import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";

/** Names of the jobs of alignment. */
export const ALIGNMENT_JOBS = {
  /** Opens snapshots of the active agents that are due. `{}`. */
  schedule: "alignment.schedule",
  /** Computes, archives and records the open snapshots, and follows their batches. `{}`. */
  snapshots: "alignment.snapshots",
} as const;

/** Requests of this time share a batch, and what is unfinished is looked at again after it. */
const COLLECT_MS = 30_000;

/** When a snapshot that is opened now is on chain, unless the chain or the storage is slow. */
export function estimatedCompletion(openedAt: Date): Date {
  return new Date(openedAt.getTime() + 3 * COLLECT_MS);
}

/** Queues the job that works on open snapshots: one waits at most. */
export function sendSnapshots(jobs: JobQueue, tx: Transaction, now: Date): Promise<void> {
  const startAfter = new Date(now.getTime() + COLLECT_MS);
  return jobs.send(tx, ALIGNMENT_JOBS.snapshots, {}, { startAfter, singletonKey: "open" });
}
