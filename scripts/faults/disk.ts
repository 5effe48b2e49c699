import { execFileSync } from "node:child_process";
import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { mountSmallDisk } from "../lib/small-disk.ts";
import type { Topology } from "./topology.ts";

/** For what the service writes on the small disk when it is not full. */
const ROOM_MEGABYTES = 1_024;

/** Whether this process may mount a disk in memory. */
export const mayMount = (): boolean => process.getuid?.() === 0;

/**
 * Moves PostgreSQL's data to a small disk in memory and fills it for `ms`. The data stay there
 * until the topology stops.
 */
export async function fillDisk(topology: Topology, ms: number): Promise<void> {
  const { stack, parts } = topology;
  const { data } = stack.postgresHome;
  await parts.postgres?.stop();
  const used = Number(execFileSync("du", ["-sm", data], { encoding: "utf8" }).split("\t")[0]);
  // Outside the home, which the stack removes before the disk is unmounted.
  const disk = mountSmallDisk(used + ROOM_MEGABYTES);
  if (disk === null) throw new Error("The disk could not be mounted.");
  topology.onStop(disk.unmount);
  const moved = join(disk.path, "data");
  execFileSync("cp", ["-a", data, moved]);
  renameSync(data, `${data}.before`);
  symlinkSync(moved, data);
  await parts.postgres?.start();
  disk.fill();
  await delay(ms);
  disk.free();
  // A PostgreSQL that found no room for its log has ended.
  await parts.postgres?.start();
}
