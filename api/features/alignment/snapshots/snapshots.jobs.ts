import type { JobHandler } from "../../../platform/jobs/ports.ts";
import type { SnapshotOpening } from "./opening.ts";
import type { Snapshots } from "./snapshots.ts";

/** Works on open snapshots; see `Snapshots.run`. */
export function snapshotsJob(snapshots: Snapshots): JobHandler {
  return (_data, signal) => snapshots.run(signal);
}

/** Opens the snapshots of active agents; see `SnapshotOpening.schedule`. */
export function scheduleJob(opening: SnapshotOpening): JobHandler {
  return (_data, signal) => opening.schedule(signal);
}
