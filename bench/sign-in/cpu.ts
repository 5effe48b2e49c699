import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Fields of /proc/<pid>/stat behind the program's name, which may itself hold spaces. */
const PARENT = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Processor time that a process and everything below it has used so far, in milliseconds. Linux only. */
export function processorTime(root: number): number {
  const processes = readdirSync("/proc")
    .filter((entry) => /^[0-9]+$/.test(entry))
    .flatMap(statOf);
  const family = new Set([root]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const ticks = processes
    .filter(({ pid }) => family.has(pid))
    .reduce((sum, at) => sum + at.ticks, 0);
  return (ticks / TICKS_PER_SECOND) * 1_000;
}

/** Empty when it has ended meanwhile. */
function statOf(entry: string): { pid: number; parent: number; ticks: number }[] {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return [{ pid: Number(entry), parent: at(PARENT), ticks: at(USER_TIME) + at(SYSTEM_TIME) }];
  } catch {
    return [];
  }
}
