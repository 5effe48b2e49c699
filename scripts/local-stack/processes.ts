import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, type WriteStream } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const LEASH = fileURLToPath(new URL("./leash.mjs", import.meta.url));
const KEPT_LINES = 40;

/** Exit statuses from here on name the signal that ended the program: see leash.mjs. */
const SIGNAL_STATUS = 128;

/** A log line, in any of the components' formats, that reports an error. */
const ERROR_LINE = /"level":"?(?:error|fatal|50|60)\b|\b(?:FATAL|PANIC|ERROR):|\bError: /;
const LONGEST_REASON = 500;

/** What children inherit: enough to run, without settings that could change their behaviour. */
const INHERITED = [
  ...["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "NO_COLOR"],
  // Where the byte code of programs is kept, which changes no behaviour.
  "NODE_COMPILE_CACHE",
];

/** The variables of this process's environment that a program of the stack has too. */
export function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** One program of the stack. */
export interface ProcessSpec {
  /** Shown in messages; the log file is named after it. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Asks the program to end. */
  readonly stopSignal: NodeJS.Signals;
  /** Time limit of a stop in milliseconds; then the program is killed. */
  readonly graceMs: number;
}

/** A program ended unexpectedly. Carries the end of its log. */
export class ProcessExitError extends Error {
  override readonly name = "ProcessExitError";
  constructor(
    readonly process: string,
    readonly exitCode: number | null,
    readonly logFile: string,
    readonly lastLines: readonly string[],
  ) {
    super(
      `${process} stopped unexpectedly (${describeExit(exitCode)}). Its last lines, in full in ${logFile}:\n${indent(lastLines)}`,
    );
  }

  /** How it ended, with the last error in its log or its last line: one line for a terminal. */
  get summary(): string {
    const how = describeExit(this.exitCode);
    const wasKilled = this.exitCode === null || this.exitCode > SIGNAL_STATUS;
    // The last line of a killed program does not explain its end.
    const line =
      this.lastLines.findLast((text) => ERROR_LINE.test(text)) ??
      (wasKilled ? undefined : this.lastLines.at(-1));
    return line === undefined ? how : `${how}; its log says: ${line.slice(0, LONGEST_REASON)}`;
  }
}

function describeExit(exitCode: number | null): string {
  if (exitCode === null) return "killed";
  const signal = Object.entries(constants.signals).find(
    ([, number]) => number === exitCode - SIGNAL_STATUS,
  );
  return signal === undefined ? `exit status ${exitCode}` : `ended by ${signal[0]}`;
}

class NotReadyError extends Error {
  override readonly name = "NotReadyError";
  constructor(
    readonly process: string,
    readonly timeoutMs: number,
    readonly logFile: string,
    readonly lastLines: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      `${process} was not ready after ${timeoutMs / 1000} s. Its last lines, in full in ${logFile}:\n${indent(lastLines)}`,
      options,
    );
  }
}

function indent(lines: readonly string[]): string {
  return lines.length === 0 ? "  (no output)" : lines.map((line) => `  ${line}`).join("\n");
}

/**
 * A running program in its own process group. Its output goes only to its log file. It ends with
 * this process, even after kill -9: see leash.mjs.
 */
export class ManagedProcess {
  /** Settles when the program is gone, never rejects. */
  readonly exited: Promise<void>;
  readonly #spec: ProcessSpec;
  readonly #child: ChildProcess;
  readonly #log: WriteStream;
  readonly #lastLines: string[] = [];
  #hasExited = false;

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
    this.#log = createWriteStream(spec.logFile, { flags: "a", mode: 0o600 });
    this.#child = spawn(process.execPath, [LEASH, spec.program, ...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.environment },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    // Ignore writes to a program that has ended: its exit is reported.
    this.#child.stdin?.on("error", () => {});
    for (const stream of [this.#child.stdout, this.#child.stderr]) this.#record(stream);
    this.exited = new Promise((resolve) => {
      // If the leash alone is killed, its program and all its children are killed too.
      this.#child.once("exit", () => this.#signalGroup("SIGKILL"));
      this.#child.once("close", () => {
        this.#hasExited = true;
        this.#log.end();
        resolve();
      });
      this.#child.once("error", () => {
        this.#hasExited = true;
        resolve();
      });
    });
  }

  get name(): string {
    return this.#spec.name;
  }

  /** The leader of the process group, for as long as the program runs. */
  get pid(): number | undefined {
    return this.#hasExited ? undefined : this.#child.pid;
  }

  /**
   * Waits until `probe` answers true. An exception counts as "not yet". Throws ProcessExitError
   * when the program ends first, NotReadyError (with the last exception as cause) after
   * `timeoutMs`.
   */
  async waitUntil(probe: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    let cause: unknown;
    while (performance.now() < deadline) {
      if (this.#hasExited) throw this.exitError();
      try {
        if (await probe()) return;
      } catch (error) {
        cause = error;
      }
      await Promise.race([this.exited, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    throw new NotReadyError(this.name, timeoutMs, this.#spec.logFile, this.#lastLines, { cause });
  }

  exitError(): ProcessExitError {
    const { name, logFile } = this.#spec;
    return new ProcessExitError(name, this.#child.exitCode, logFile, [...this.#lastLines]);
  }

  /** Asks the program to stop, and kills it after its grace time. */
  async stop(): Promise<void> {
    this.#signal(this.#spec.stopSignal);
    const killer = setTimeout(() => this.#signal("SIGKILL"), this.#spec.graceMs);
    await this.exited;
    clearTimeout(killer);
    // Kills processes that the program left in its group.
    this.#signalGroup("SIGKILL");
  }

  /** Kills the program and all its children at once, like a crash. */
  async kill(): Promise<void> {
    this.#signal("SIGKILL");
    await this.exited;
  }

  /** For the exit of this process, when nothing can be awaited. */
  killNow(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#hasExited) this.#signalGroup(signal);
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch (error) {
      // The group no longer exists.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  #record(stream: NodeJS.ReadableStream | null): void {
    let partial = "";
    stream?.setEncoding("utf8");
    stream?.on("data", (chunk: string) => {
      this.#log.write(chunk);
      const lines = (partial + chunk).split("\n");
      partial = lines.pop() ?? "";
      this.#lastLines.push(...lines.filter((line) => line.trim() !== ""));
      this.#lastLines.splice(0, this.#lastLines.length - KEPT_LINES);
    });
  }
}
