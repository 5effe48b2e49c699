import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { createApp, createOperatorsApp } from "./app.ts";
import { compose } from "./compose.ts";
import { assertSameDeployment } from "./operations/deployment-check.store.ts";
import { assertChainOfNodes } from "./platform/chain/chain-check.ts";
import { recovery as signatureRecovery } from "./platform/chain/signer-recovery.ts";
import type { Config, EnvironmentVariables } from "./platform/config/config.ts";
import { ConfigError, readConfig, redactedConfig } from "./platform/config/config.ts";
import type { Deployment } from "./platform/config/deployment.ts";
import { readDeployment } from "./platform/config/deployment.ts";
import { connectDatabase } from "./platform/database/connect.ts";
import {
  migrate,
  OutdatedDatabaseError,
  OutdatedProcessError,
} from "./platform/database/migrate.ts";
import { createHttpServer } from "./platform/http/server.ts";
import type { JobClock } from "./platform/jobs/queue.ts";
import { createLog, redactText } from "./platform/log/log.ts";

/** Time limit for open requests at shutdown. */
const SHUTDOWN_MS = 10_000;

export interface RunningServer {
  /** Where it listens; the real port when 0 was asked for. */
  readonly url: string;
  /**
   * Takes no more requests, finishes those under way within a bound, then closes every connection.
   * Safe to call twice.
   */
  stop(): Promise<void>;
}

/** Parts that a test replaces. No environment variable does. */
export interface ServerParts {
  /** Default: the time. Jobs keep the time of `jobClock`. */
  readonly clock?: (() => Date) | undefined;
  /** The clock of the job queue, timers included. Default: the time. */
  readonly jobClock?: JobClock | undefined;
}

/**
 * Starts the API and resolves when it listens.
 *
 * @throws Error with one clear sentence when Postgres does not answer, a node is on another chain or
 * the port is taken.
 */
export async function startServer(
  config: Config,
  deployment: Deployment,
  log: Logger,
  parts: ServerParts = {},
): Promise<RunningServer> {
  await migrate(config.databaseUrl, config.migrationDatabaseUrl).catch((cause: unknown) => {
    if (cause instanceof OutdatedDatabaseError || cause instanceof OutdatedProcessError)
      throw cause;
    throw new Error("The database cannot be reached or migrated.", { cause });
  });
  await assertChainOfNodes(config.rpcUrls, deployment.chainId);
  const migrated = connectDatabase(config.databaseUrl, log);
  await assertSameDeployment(migrated.db, deployment).finally(migrated.close);
  const clock = parts.clock ?? (() => new Date());
  const built = await compose(config, deployment, log, { clock, jobClock: parts.jobClock });
  const app = config.roles.has("api") ? createApp(built.deps) : createOperatorsApp(built.deps);
  const server = createHttpServer(app.fetch);
  try {
    const port = await listen(server, config);
    built.started();
    log.info({ ...redactedConfig(config), port, chainId: deployment.chainId }, "listening");
    log.info({ signatureRecovery: signatureRecovery.path }, "signatures are checked on this path");
    let stopped: Promise<void> | undefined;
    return {
      url: `http://${config.host}:${port}`,
      stop: () => {
        built.endStreams();
        stopped ??= stopListening(server, log).then(built.close);
        return stopped;
      },
    };
  } catch (error) {
    await built.close();
    throw error;
  }
}

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const where = `${config.host}:${config.port}`;
      const why = error.code === "EADDRINUSE" ? "it is already in use" : error.message;
      reject(new Error(`Cannot listen on ${where}: ${why}.`));
    });
    server.listen(config.port, config.host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : config.port);
    });
  });
}

function stopListening(server: Server, log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const bound = setTimeout(() => {
      log.warn("requests were still being answered; their connections are closed");
      server.closeAllConnections();
    }, SHUTDOWN_MS);
    server.close(() => {
      clearTimeout(bound);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Runs a process of the service until SIGTERM or SIGINT. Rejects when it cannot start. */
export async function serve(environment: EnvironmentVariables): Promise<void> {
  const config = readConfig(environment);
  const deployment = await readDeployment(config.deploymentPath);
  const log = createLog(config.logLevel);
  const server = await startServer(config, deployment, log);
  const stop = (signal: string) => {
    log.info({ signal }, "stopping");
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/** One message for the operator; a stack trace would hide it. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return redactText(`${error.message}${cause}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  serve(process.env).catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}
