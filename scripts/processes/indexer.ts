import { spawn } from "node:child_process";
import { constants } from "node:os";
import {
  ConfigError,
  type EnvironmentVariables,
  parseEnvironment,
} from "../../api/platform/config/config.ts";
import { readIndexedDeployment } from "../../indexer/deployment.ts";
import { indexerCommand } from "../lib/indexer-command.ts";
import { IndexerEnvironment } from "./indexer-environment.ts";

/** Time to release its schema. A process that is killed leaves it locked for up to 25 seconds. */
const STOP_MS = 20_000;

/**
 * Runs the indexer until it ends or this process gets SIGTERM or SIGINT.
 *
 * @returns the exit status: 0 after a stop, otherwise the indexer's own.
 */
export async function runIndexer(
  environment: EnvironmentVariables,
  complain: (text: string) => void,
): Promise<number> {
  const command = readCommand(environment, complain);
  if (command === null) return 1;
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: { ...environment, ...command.env },
    stdio: "inherit",
  });
  let stopping: NodeJS.Timeout | undefined;
  const stop = () => {
    if (stopping !== undefined) return;
    child.kill(command.stopSignal);
    stopping = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        const killedBy = signal === null ? 0 : 128 + constants.signals[signal];
        resolve(stopping !== undefined && signal !== "SIGKILL" ? 0 : (code ?? killedBy));
      });
    });
  } finally {
    clearTimeout(stopping);
    process.off("SIGTERM", stop);
    process.off("SIGINT", stop);
  }
}

function readCommand(environment: EnvironmentVariables, complain: (text: string) => void) {
  try {
    const values = parseEnvironment(IndexerEnvironment, environment);
    readIndexedDeployment(values.SVC_DEPLOYMENT);
    return indexerCommand({
      databaseUrl: values.DATABASE_URL,
      rpcUrl: values.RPC_URL.join(","),
      wsUrl: values.RPC_WS_URL,
      host: values.SVC_INDEXER_HOST,
      port: values.SVC_INDEXER_PORT,
      deploymentPath: values.SVC_DEPLOYMENT,
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint =
      error instanceof ConfigError
        ? ""
        : " Set SVC_DEPLOYMENT to the file that npm run deploy wrote.";
    complain(`${error.message}${hint}\n`);
    return null;
  }
}
