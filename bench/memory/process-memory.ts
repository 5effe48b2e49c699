import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { processFamily } from "../../scripts/local-stack/process-family.ts";
import type { Stack } from "../../scripts/local-stack/stack.ts";

/** The environment of a process whose memory is read: its inspector takes a free port. */
export const READABLE = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" } as const;

const READY_MS = 10_000;
const POLL_MS = 50;

/** Memory of a process in bytes. */
export interface MemorySample {
  /** What JavaScript uses after a garbage collection. */
  readonly heap: number;
  /** What the system holds for the process, before that collection. */
  readonly resident: number;
}

export interface ProcessMemory {
  sample(): Promise<MemorySample>;
  close(): void;
}

/** Reads the memory of the stack's API, which was started with {@link READABLE}. */
export async function memoryOfApi(stack: Stack): Promise<ProcessMemory> {
  const root = stack.pidOf("api");
  // The root only ends its child together with the stack.
  const api = processFamily(root ?? 0).find(({ parent }) => parent === root);
  if (api === undefined) throw new Error("The API has ended.");
  process.kill(api.pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorIn(join(stack.directory, "logs", "api.log")));
  await once(socket, "open");
  let lastId = 0;

  async function call(method: string): Promise<Record<string, number>> {
    lastId += 1;
    const id = lastId;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = await once(socket, "message");
      const answer = JSON.parse(data);
      if (answer.id !== id) continue;
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result;
    }
  }

  return {
    async sample() {
      const resident = residentBytes(api.pid);
      await call("HeapProfiler.collectGarbage");
      const { usedSize = Number.NaN } = await call("Runtime.getHeapUsage");
      return { heap: usedSize, resident };
    },
    close: () => socket.close(),
  };
}

/** The inspector's address, which a process writes into its log once it listens. */
async function inspectorIn(logFile: string): Promise<string> {
  const end = performance.now() + READY_MS;
  for (;;) {
    const [, url] = /Debugger listening on (ws:\S+)/.exec(readFileSync(logFile, "utf8")) ?? [];
    if (url !== undefined) return url;
    if (performance.now() > end) throw new Error(`No inspector is named in ${logFile}.`);
    await delay(POLL_MS);
  }
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
