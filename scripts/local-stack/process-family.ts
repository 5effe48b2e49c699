import { readdirSync, readFileSync } from "node:fs";

/** A process as /proc shows it. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Processor time used so far, in clock ticks. */
  readonly ticks: number;
  /** Processor time of its children that have ended, in clock ticks. */
  readonly endedTicks: number;
}

/** Fields of /proc/<pid>/stat behind the program's name, which may itself hold spaces. */
const PARENT = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const ENDED_USER_TIME = 13;
const ENDED_SYSTEM_TIME = 14;

/** A process and everything below it. Linux only. */
export function processFamily(root: number): readonly ProcessStat[] {
  const processes = readdirSync("/proc")
    .filter((entry) => /^[0-9]+$/.test(entry))
    .flatMap(statOf);
  const family = new Set([root]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(({ pid }) => family.has(pid));
}

/** Empty when it has ended meanwhile. */
function statOf(entry: string): ProcessStat[] {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return [
      {
        pid: Number(entry),
        parent: at(PARENT),
        ticks: at(USER_TIME) + at(SYSTEM_TIME),
        endedTicks: at(ENDED_USER_TIME) + at(ENDED_SYSTEM_TIME),
      },
    ];
  } catch {
    return [];
  }
}
