import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { EnvironmentVariables } from "../../../api/platform/config/config.ts";
import { type IndexerOptions, indexerCommand } from "../../lib/indexer-command.ts";
import { freePorts } from "../../local-stack/ports.ts";

/** Time to release its schema. A process that is killed leaves it locked for up to 25 seconds. */
const STOP_MS = 20_000;
const READY_MS = 2_000;
/** The first file descriptor after standard input, output and error. */
const PIPE = 3;

/** One Ponder with a schema of its own. It ends with this process, even by kill -9. */
export interface Ponder {
  readonly schema: string;
  /** Of its server, on loopback. */
  readonly port: number;
  /** Settles with its exit status: 0 after a stop. Rejects when it could not be started. */
  readonly exited: Promise<number>;
  /** Whether it has read the chain's history, so that the views may show its schema. */
  isReady(): Promise<boolean>;
  /** Asks it to end, and kills it when it does not. Settles when it has ended, never rejects. */
  stop(): Promise<void>;
}

export async function startPonder(
  options: Omit<IndexerOptions, "host" | "port"> & { readonly schema: string },
  environment: EnvironmentVariables,
): Promise<Ponder> {
  const [port = 0] = await freePorts(1);
  const command = indexerCommand({ ...options, port });
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: { ...environment, ...command.env, INDEXER_SUPERVISOR_PIPE: String(PIPE) },
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  let stopping: NodeJS.Timeout | undefined;
  const exited = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(stopping);
      const killedBy = signal === null ? 0 : 128 + constants.signals[signal];
      resolve(stopping !== undefined && signal !== "SIGKILL" ? 0 : (code ?? killedBy));
    });
  });
  exited.catch(() => {});
  return {
    schema: options.schema,
    port,
    exited,
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(READY_MS) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    async stop() {
      if (stopping === undefined) {
        stopping = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
        child.kill(command.stopSignal);
      }
      await exited.catch(() => {});
      clearTimeout(stopping);
    },
  };
}
