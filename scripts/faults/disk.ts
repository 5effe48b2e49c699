import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Topology } from "./topology.ts";

const MEGABYTE = 1_048_576;
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
  // Outside the home, which the stack removes before the disk is unmounted.
  const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
  await parts.postgres?.stop();
  const used = Number(execFileSync("du", ["-sm", data], { encoding: "utf8" }).split("\t")[0]);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${used + ROOM_MEGABYTES}m`, "tmpfs", disk]);
  topology.onStop(() => {
    execFileSync("umount", ["-l", disk]);
    rmdirSync(disk);
  });
  execFileSync("cp", ["-a", data, join(disk, "data")]);
  renameSync(data, `${data}.before`);
  symlinkSync(join(disk, "data"), data);
  await parts.postgres?.start();
  const filler = join(disk, "filler");
  fill(filler);
  await delay(ms);
  rmSync(filler);
  // A PostgreSQL that found no room for its log has ended.
  await parts.postgres?.start();
}

function fill(path: string): void {
  const [file, block] = [openSync(path, "w"), Buffer.alloc(MEGABYTE)];
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
