import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Another stack runs from the same directory. */
class StackRunningError extends Error {
  override readonly name = "StackRunningError";
  constructor(
    readonly pid: number,
    readonly directory: string,
  ) {
    super(
      `A stack is already running from ${directory} (process ${pid}). Stop it, or set SVC_LOCAL_DIR and the ports to run a second one.`,
    );
  }
}

/**
 * Takes the lock of a stack's directory and returns a function that releases it. A lock whose
 * process has ended is replaced. Throws StackRunningError while its process runs.
 */
export function takeStackLock(directory: string): () => void {
  const path = join(directory, "stack.lock");
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    // A hard link is created atomically, and by one process only.
    while (!tryLink(draft, path)) {
      const holder = readLock(path);
      if (holder === null) continue;
      const [pid, startedAt] = parseLock(holder);
      if (startOf(pid) === startedAt && startedAt !== "") {
        throw new StackRunningError(pid, directory);
      }
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readLock(path) === mine) rmSync(path, { force: true });
  };
}

function tryLink(existing: string, path: string): boolean {
  try {
    linkSync(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function parseLock(text: string): [pid: number, startedAt: string] {
  const [pid = "", ...startedAt] = text.trim().split(" ");
  return [Number(pid), startedAt.join(" ")];
}

/**
 * Start time of a process: with its number it is unique, as numbers are reused. Empty without
 * /proc.
 */
function startOf(pid: number): string {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    }
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}
