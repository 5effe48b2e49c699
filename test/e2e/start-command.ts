import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `npm start` as a user runs it, on any free ports unless configured otherwise. */
export class StartCommand {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
  #output = "";
  #exited = false;
  readonly #watchers = new Set<() => void>();

  constructor(
    directory: string,
    args: readonly string[],
    environment: Record<string, string> = {},
  ) {
    const freePorts = ["api", "indexer", "chain", "postgres"].flatMap((name) => [
      `--${name}-port`,
      "0",
    ]);
    this.child = spawn(
      "scripts/with-toolchain",
      ["node", "scripts/start.mjs", ...freePorts, ...args],
      {
        env: { ...process.env, NO_COLOR: "1", SVC_LOCAL_DIR: directory, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        this.#output += chunk;
        for (const watcher of this.#watchers) watcher();
      });
    }
    this.exit = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        this.#exited = true;
        resolve({ code, signal });
        for (const watcher of this.#watchers) watcher();
      });
    });
  }

  get output(): string {
    return this.#output;
  }

  /**
   * Resolves once the output matches. Rejects with the output when the command ends before that.
   */
  printed(pattern: RegExp): Promise<RegExpMatchArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = this.#output.match(pattern);
        if (!match && !this.#exited) return;
        this.#watchers.delete(look);
        if (match) resolve(match);
        else reject(new Error(`npm start ended without printing ${pattern}:\n${this.#output}`));
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** The four ports that it printed as its own. */
  async ports(): Promise<number[]> {
    await this.printed(/The stack is ready\..*Logs /s);
    const lines = this.#output.match(/^ {2}(?:API|Chain|Indexer|Postgres) .*$/gm) ?? [];
    return lines.map((line) => Number(line.match(/127\.0\.0\.1:(\d+)/)?.[1]));
  }

  /** Asks it to stop, waits, and returns how it ended. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<Exit> {
    if (!this.#exited) this.child.kill(signal);
    return this.exit;
  }
}

/** A directory for one stack. Only this user can enter it, as with root's home folder. */
export function stackDirectory(): string {
  return mkdtempSync(join(tmpdir(), "stack-e2e-"));
}

/** Whether a server accepts connections there. */
export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/**
 * Processes other than this one that were started for a directory: their arguments or environment
 * name it.
 */
export function processesOf(directory: string): number[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) =>
      (["cmdline", "environ"] as const).some((file) => readProcess(pid, file).includes(directory)),
    );
}

/** The content of /proc for a process, or an empty text when it has ended meanwhile. */
export function readProcess(pid: number, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
