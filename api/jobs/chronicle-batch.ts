import type { BatchReport, ChronicleBatches } from "../services/chronicle-batches.ts";
import type { JobHandler } from "../services/jobs.ts";

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

/** One run at an operator's request, told in a sentence. Rejects as `ChronicleBatches.run` does. */
export async function runBatchNow({
  batches,
}: {
  readonly batches: ChronicleBatches;
}): Promise<string> {
  return told(await batches.run());
}

function told({ anchored, confirmed, waiting }: BatchReport): string {
  const ids = (list: readonly bigint[]) => (list.length === 0 ? "none" : list.join(", "));
  return `Batches anchored: ${ids(anchored)}; confirmed: ${ids(confirmed)}; mined and not confirmed yet: ${waiting}.`;
}
