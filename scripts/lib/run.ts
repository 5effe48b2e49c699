import { spawn } from "node:child_process";

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a command to its end and returns its output. Rejects only when it cannot be started. */
export function run(program: string, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    }
    child.once("error", reject);
    child.once("close", (exitCode) => {
      resolve({ exitCode, output: Buffer.concat(chunks).toString("utf8").trimEnd() });
    });
  });
}

/** Whether a program can be started on this machine. */
export async function isInstalled(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

export interface AttachedOptions {
  /** Added to this process's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Asks the command to end, with SIGTERM. */
  readonly signal?: AbortSignal;
  /** An open file that the output goes to, instead of this process's. */
  readonly output?: number | undefined;
}

/**
 * Runs a command whose output goes to this process's; resolves with its exit status, null when a
 * signal ended it.
 */
export function runAttached(
  program: string,
  args: readonly string[],
  { environment = {}, signal, output }: AttachedOptions = {},
): Promise<number | null> {
  if (signal?.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["inherit", output ?? "inherit", output ?? "inherit"],
      env: { ...process.env, ...environment },
    });
    const end = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", end);
    const ended = () => signal?.removeEventListener("abort", end);
    child.once("error", (error) => {
      ended();
      reject(error);
    });
    child.once("close", (code) => {
      ended();
      resolve(code);
    });
  });
}
