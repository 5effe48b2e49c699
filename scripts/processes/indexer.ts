import {
  ConfigError,
  type EnvironmentVariables,
  parseEnvironment,
} from "../../api/platform/config/config.ts";
import { readIndexedDeployment } from "../../indexer/deployment.ts";
import { indexerSchemaName } from "../lib/indexer-command.ts";
import { openFront } from "./indexer/front.ts";
import { startPonder } from "./indexer/ponder.ts";
import { IndexerEnvironment } from "./indexer-environment.ts";

const PARENT_MS = 500;

/**
 * Runs the indexer until it ends or this process gets SIGTERM or SIGINT.
 *
 * @param program Ponder's program. Default: the installed package's.
 * @returns the exit status: 0 after a stop, otherwise the indexer's own.
 */
export async function runIndexer(
  environment: EnvironmentVariables,
  complain: (text: string) => void,
  program?: string,
): Promise<number> {
  const settings = readSettings(environment, complain);
  if (settings === null) return 1;
  const ponder = await startPonder(
    {
      schema: indexerSchemaName(settings.SVC_DEPLOYMENT),
      databaseUrl: settings.DATABASE_URL,
      rpcUrl: settings.RPC_URL.join(","),
      wsUrl: settings.RPC_WS_URL,
      deploymentPath: settings.SVC_DEPLOYMENT,
      program,
    },
    environment,
  );
  const stop = () => void ponder.stop();
  const parent = watchParent(environment, stop);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  try {
    const address = { host: settings.SVC_INDEXER_HOST, port: settings.SVC_INDEXER_PORT };
    const front = await openFront(address, () => ponder.port);
    return await ponder.exited.finally(() => front.close());
  } catch (error) {
    complain(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await ponder.stop();
    clearInterval(parent);
    process.off("SIGTERM", stop);
    process.off("SIGINT", stop);
  }
}

/** npm passes signals on, but not its own end by kill -9: the next start would find the port taken. */
function watchParent({ npm_lifecycle_event }: EnvironmentVariables, stop: () => void) {
  if (npm_lifecycle_event !== "indexer") return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_MS).unref();
}

function readSettings(environment: EnvironmentVariables, complain: (text: string) => void) {
  try {
    const settings = parseEnvironment(IndexerEnvironment, environment);
    readIndexedDeployment(settings.SVC_DEPLOYMENT);
    return settings;
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
