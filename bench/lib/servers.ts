import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Stack, startStack } from "../../scripts/local-stack/stack.ts";
import { Load } from "./load.ts";
import type { SharedProcesses } from "./rounds.ts";
import { settingsEnvironment } from "./settings.ts";

export interface Server {
  readonly url: string;
  readonly load: Load;
  readonly pid: number;
}

export interface ServersOptions {
  /** Added to the API's environment. */
  readonly apiEnvironment?: Readonly<Record<string, string>>;
  /** Directory for a processor profile of the API, written when it stops. */
  readonly profileDirectory?: string | undefined;
}

/** The whole service as `npm start` boots it, and servers beside it, each a process of its own. */
export interface Servers {
  readonly stack: Stack;
  readonly ours: Server;
  /** Ponder, which serves the same index by GraphQL. */
  readonly ponder: Server;
  readonly shared: SharedProcesses;
  /** Starts a file that calls `serveForParent`. */
  start(file: URL, settings: object): Promise<Server>;
  close(): Promise<void>;
}

export async function startServers(
  name: string,
  { apiEnvironment, profileDirectory }: ServersOptions = {},
): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), `svc-bench-${name}-`));
  // PostgreSQL does not run as root: its own user must be able to enter this directory.
  await chmod(directory, 0o711);
  const closers = [() => rm(directory, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  const serverAt = (url: string, pid: number | undefined): Server => {
    if (pid === undefined) throw new Error("A server has ended.");
    const load = new Load(url);
    closers.push(() => load.close());
    return { url, load, pid };
  };
  try {
    const stack = await startStack({
      directory,
      ports: { chain: 0, postgres: 0, indexer: 0, api: 0 },
      apiEnvironment: { ...apiEnvironment, ...(await profiling(profileDirectory)) },
    });
    closers.push(() => stack.stop());
    const { urls } = stack;
    return {
      stack,
      ours: serverAt(urls.api, stack.pidOf("api")),
      ponder: serverAt(urls.indexer, stack.pidOf("indexer")),
      shared: { chain: stack.pidOf("chain") ?? 0, postgres: stack.pidOf("postgres") ?? 0 },
      async start(file, settings) {
        const child = fork(fileURLToPath(file), {
          execArgv: ["--import", "tsx"],
          env: { ...process.env, ...settingsEnvironment(settings) },
        });
        closers.push(() => ended(child));
        const url = await Promise.race([
          once(child, "message").then(([message]) => String(message)),
          once(child, "exit").then(() => Promise.reject(new Error(`${file} did not start.`))),
        ]);
        return serverAt(url, child.pid);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function profiling(directory: string | undefined): Promise<Record<string, string>> {
  if (directory === undefined) return {};
  const path = resolve(directory);
  await mkdir(path, { recursive: true });
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(path)}` };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
