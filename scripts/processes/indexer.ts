import {
  ConfigError,
  type EnvironmentVariables,
  parseEnvironment,
} from "../../api/platform/config/config.ts";
import { readIndexedDeployment } from "../../indexer/deployment.ts";
import { indexerSchemaName } from "../lib/indexer-command.ts";
import { openFront } from "./indexer/front.ts";
import { type IndexStore, openIndexStore } from "./indexer/index-store.ts";
import { startPonder } from "./indexer/ponder.ts";
import { createSecondReading } from "./indexer/second-reading.ts";
import { createSupervisor, type Supervisor } from "./indexer/supervisor.ts";
import { IndexerEnvironment } from "./indexer-environment.ts";

const PARENT_MS = 500;
const UNDEFINED_TABLE = "42P01";

/**
 * Runs the indexer until it ends or this process gets SIGTERM or SIGINT.
 *
 * @returns the exit status: 0 after a stop, otherwise the indexer's own.
 */
export async function runIndexer(
  environment: EnvironmentVariables,
  complain: (text: string) => void,
): Promise<number> {
  const settings = readSettings(environment, complain);
  if (settings === null) return 1;
  const base = indexerSchemaName(settings.SVC_DEPLOYMENT);
  const store = openIndexStore(settings.DATABASE_URL, settings.chainId, base);
  const supervisor = supervisorOf({ environment, settings, store, complain });
  const parent = watchParent(environment, supervisor.stop);
  process.on("SIGTERM", supervisor.stop);
  process.on("SIGINT", supervisor.stop);
  try {
    const address = { host: settings.SVC_INDEXER_HOST, port: settings.SVC_INDEXER_PORT };
    const front = await openFront(address, supervisor);
    return await supervisor.run().finally(front.close);
  } catch (error) {
    const { message, code } = error as { readonly message: string; readonly code?: unknown };
    complain(`${message}${code === UNDEFINED_TABLE ? ". Run npm run migrate first." : ""}\n`);
    return 1;
  } finally {
    clearInterval(parent);
    process.off("SIGTERM", supervisor.stop);
    process.off("SIGINT", supervisor.stop);
    await store.close();
  }
}

interface Parts {
  readonly environment: EnvironmentVariables;
  readonly settings: NonNullable<ReturnType<typeof readSettings>>;
  readonly store: IndexStore;
  readonly complain: (text: string) => void;
}

function supervisorOf({ environment, settings, store, complain }: Parts): Supervisor {
  const { chainId, RPC_URL: urls } = settings;
  return createSupervisor({
    store,
    reading: createSecondReading({ store, urls, chainId, delayMs: settings.INDEX_REREAD_MS }),
    start: (schema) =>
      startPonder(
        {
          schema,
          databaseUrl: settings.DATABASE_URL,
          rpcUrl: urls.join(","),
          wsUrl: settings.RPC_WS_URL,
          deploymentPath: settings.SVC_DEPLOYMENT,
        },
        environment,
      ),
    log: (level, msg, fields) => complain(`${JSON.stringify({ level, msg, ...fields })}\n`),
  });
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
    const { chainId } = readIndexedDeployment(settings.SVC_DEPLOYMENT);
    return { ...settings, chainId };
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
