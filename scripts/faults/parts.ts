import { setTimeout as delay } from "node:timers/promises";
import { processFamily } from "../local-stack/process-family.ts";
import { ManagedProcess, type ProcessSpec } from "../local-stack/processes.ts";
import type { ComponentName, Stack } from "../local-stack/stack.ts";

const READY_MS = 300_000;
const POLL_MS = 100;
/** Time for killed processes to be gone. */
const ENDED_MS = 10_000;
/** The pause of a supervisor before it starts a process that has ended again. */
const RESTART_MS = 1_000;

/** A process of the topology that faults happen to. Its supervisor starts it again when it ends. */
export interface Part {
  readonly name: string;
  /** The root of its processes while it runs. */
  pid(): number | undefined;
  /**
   * Ends it at once, like a crash. Resolves when it is gone, to the processes that it left behind;
   * these are ended too.
   */
  kill(): Promise<number>;
  /** Stops it in order, if it runs. */
  stop(): Promise<void>;
  /** Starts it, and resolves when it is ready. */
  start(): Promise<void>;
  /** Resolves when it runs and is ready. */
  ready(): Promise<void>;
  /** How often it has ended by itself. */
  ends(): number;
}

/**
 * A part that is started and watched here. `spec` is asked at each start.
 *
 * @param dies What a kill ends: the program alone, as `kill -9` does, or its children as well.
 */
export function processPart(
  spec: () => ProcessSpec,
  isReady: () => Promise<boolean>,
  dies: "program" | "family" = "program",
): Part {
  let running: ManagedProcess | undefined;
  let isKilled = false;
  let ends = 0;

  function launch(): void {
    const started = new ManagedProcess(spec());
    running = started;
    void started.exited.then(async () => {
      if (running !== started) return;
      if (!isKilled) ends += 1;
      isKilled = false;
      await delay(RESTART_MS);
      if (running === started) launch();
    });
  }

  async function ready(): Promise<void> {
    const until = performance.now() + READY_MS;
    while (!(await isReady().catch(() => false))) {
      if (performance.now() > until) {
        throw new Error(`${spec().name} is not ready after ${READY_MS / 1_000} s.`);
      }
      await delay(POLL_MS);
    }
  }

  return {
    name: spec().name,
    pid: () => running?.pid,
    async kill() {
      const leash = running?.pid;
      if (leash === undefined) return 0;
      const family = processFamily(leash).filter(({ pid }) => pid !== leash);
      isKilled = true;
      for (const { pid, parent } of family) {
        if (dies === "family" || parent === leash) signal(pid, "SIGKILL");
      }
      const left = await ended(family.map(({ pid }) => pid)).then(
        () => [],
        () => family.filter(({ pid }) => signal(pid, 0)),
      );
      for (const { pid } of left) signal(pid, "SIGKILL");
      return left.length;
    },
    async stop() {
      const taken = running;
      running = undefined;
      await taken?.stop();
    },
    async start() {
      launch();
      await ready();
    },
    ready,
    ends: () => ends,
  };
}

/** A component of the local stack, which is not supervised. */
export function stackPart(stack: Stack, name: Exclude<ComponentName, "chain">): Part {
  let started: Promise<void> = Promise.resolve();
  async function end(): Promise<void> {
    // PostgreSQL's children have process groups of their own.
    const pid = stack.pidOf(name);
    const family = pid === undefined ? [] : processFamily(pid).map((process) => process.pid);
    await Promise.all([stack.kill(name), ...family.map((member) => signal(member, "SIGKILL"))]);
    // A new PostgreSQL refuses the data of one that is still ending.
    await ended(family);
  }
  async function start(): Promise<void> {
    started = stack.restart(name);
    started.catch(() => {});
    await started;
  }
  return {
    name,
    pid: () => stack.pidOf(name),
    async kill() {
      await end();
      start().catch(() => {});
      return 0;
    },
    stop: end,
    start,
    ready: () => started,
    ends: () => 0,
  };
}

/** Stops every process of a part without ending it, and lets it go on after `ms`. */
export async function pause(part: Part, ms: number): Promise<void> {
  const pid = part.pid();
  if (pid === undefined) throw new Error(`${part.name} does not run.`);
  // The leash goes on: it ends the part when this process ends meanwhile.
  const family = processFamily(pid).flatMap((process) => (process.pid === pid ? [] : process.pid));
  for (const member of family) signal(member, "SIGSTOP");
  try {
    await delay(ms);
  } finally {
    for (const member of family) signal(member, "SIGCONT");
  }
}

/** Resolves when all of them are gone. */
async function ended(family: readonly number[]): Promise<void> {
  const until = performance.now() + ENDED_MS;
  while (family.some((member) => signal(member, 0))) {
    if (performance.now() > until) throw new Error("A killed process has not ended.");
    await delay(20);
  }
}

/** Whether the process was there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    return false;
  }
}
