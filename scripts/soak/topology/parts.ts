import { setTimeout as delay } from "node:timers/promises";
import { processFamily } from "../../local-stack/process-family.ts";
import { ManagedProcess, type ProcessSpec } from "../../local-stack/processes.ts";
import type { ComponentName, Stack } from "../../local-stack/stack.ts";

const READY_MS = 120_000;
/** Time for killed processes to be gone. */
const ENDED_MS = 10_000;

/** A process of the topology that faults happen to. */
export interface Part {
  readonly name: string;
  /** The root of its processes while it runs. */
  pid(): number | undefined;
  /** Ends it and its children at once, like a crash. */
  kill(): Promise<void>;
  /** Stops it in order, if it runs. */
  stop(): Promise<void>;
  /** Starts it, and resolves when it is ready. */
  start(): Promise<void>;
}

/** A part that is started and watched here. `spec` is asked at each start. */
export function processPart(spec: () => ProcessSpec, isReady: () => Promise<boolean>): Part {
  let running: ManagedProcess | undefined;
  const take = () => {
    const taken = running;
    running = undefined;
    return taken;
  };
  return {
    name: spec().name,
    pid: () => running?.pid,
    kill: () => killFamily(running?.pid, async () => take()?.kill()),
    stop: async () => take()?.stop(),
    async start() {
      running = new ManagedProcess(spec());
      await running.waitUntil(isReady, READY_MS);
    },
  };
}

/** A component of the local stack. */
export function stackPart(stack: Stack, name: Exclude<ComponentName, "chain">): Part {
  return {
    name,
    pid: () => stack.pidOf(name),
    kill: () => killFamily(stack.pidOf(name), () => stack.kill(name)),
    // The stack stops a running component when it restarts it.
    stop: async () => {},
    start: () => stack.restart(name),
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

/** PostgreSQL's children have process groups of their own. */
async function killFamily(pid: number | undefined, kill: () => Promise<unknown>): Promise<void> {
  const family = pid === undefined ? [] : processFamily(pid).map((process) => process.pid);
  await Promise.all([kill(), ...family.map((member) => signal(member, "SIGKILL"))]);
  // A new PostgreSQL refuses the data of one that is still ending.
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
