import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import type { Logger } from "pino";
import { privateKeyToAccount } from "viem/accounts";
import type { AppDeps } from "./app.ts";
import { createApp, DEFAULT_LIMITS } from "./app.ts";
import { createChainClient } from "./chain/clients.ts";
import { createLiveState } from "./chain/live-state.ts";
import { createRelayer } from "./chain/relayer.ts";
import { createMessageSignatures, createOwnerSignatures } from "./chain/signatures.ts";
import { createSoulRegistry } from "./chain/soul-registry.ts";
import { buildChronicles } from "./chronicle-parts.ts";
import type { Config } from "./config.ts";
import { ConfigError, readConfig, redactedConfig } from "./config.ts";
import { createChainReads } from "./db/chain.ts";
import type { Executor } from "./db/connect.ts";
import { connectDatabase } from "./db/connect.ts";
import { idempotencyStore } from "./db/idempotency.ts";
import { createLease } from "./db/lease.ts";
import { migrate } from "./db/migrate.ts";
import { passportIndex } from "./db/passport-index.ts";
import { createRegistrationStore } from "./db/registrations.ts";
import { relayerTransactionStore } from "./db/relayer-transactions.ts";
import { signInStore } from "./db/sign-in.ts";
import type { Deployment } from "./deployment.ts";
import { readDeployment } from "./deployment.ts";
import { startRecovery } from "./jobs/recovery.ts";
import { createLog, redactText } from "./log.ts";
import { API_VERSION } from "./openapi.ts";
import { readinessChecks } from "./readiness-checks.ts";
import type { EventSink } from "./services/events.ts";
import { createIdempotency } from "./services/idempotency.ts";
import { createIntrospection } from "./services/introspection.ts";
import type { JobQueue } from "./services/jobs.ts";
import { createLinks } from "./services/links.ts";
import { createNameService } from "./services/names.ts";
import { createProfileService } from "./services/profile.ts";
import { createReadiness } from "./services/readiness.ts";
import { createRegistrationService } from "./services/registration.ts";
import { createRegistrationFileService } from "./services/registration-file.ts";
import { createSecrets } from "./services/secrets.ts";
import { createSignIn } from "./services/sign-in.ts";
import { createStatusService } from "./services/status.ts";
import { createTokens } from "./services/tokens.ts";
import { createTools } from "./services/tools.ts";
import { createItemSigner } from "./storage/ans104.ts";
import { createLocalStorage } from "./storage/local.ts";
import { createPermanentStorage } from "./storage/permanent.ts";

const HOUR_MS = 60 * 60 * 1000;
/** A crashed request blocks its Idempotency-Key this long. */
const IDEMPOTENCY_LEASE_MS = 30_000;
const READINESS_TIMEOUT_MS = 2_000;
/** Longest wait for the node in one step of a sign-in. */
const LIVE_READ_TIMEOUT_MS = 5_000;
/** Longest wait for requests that are being answered when the process is told to stop. */
const SHUTDOWN_MS = 10_000;

export interface RunningServer {
  /** Where it listens; the real port when 0 was asked for. */
  readonly url: string;
  /** Takes no more requests, finishes those under way within a bound, then closes every connection. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts the API and resolves when it listens.
 *
 * @throws Error with one clear sentence when Postgres does not answer or the port is taken.
 */
export async function startServer(
  config: Config,
  deployment: Deployment,
  log: Logger,
): Promise<RunningServer> {
  await migrate(config.databaseUrl, config.migrationDatabaseUrl).catch((cause: unknown) => {
    throw new Error("The database cannot be reached or migrated.", { cause });
  });
  const built = await buildDeps(config, deployment, log);
  const server = createAdaptorServer({ fetch: createApp(built.deps).fetch }) as Server;
  try {
    const port = await listen(server, config);
    log.info({ ...redactedConfig(config), port, chainId: deployment.chainId }, "listening");
    let stopped: Promise<void> | undefined;
    return {
      url: `http://${config.host}:${port}`,
      stop: () => {
        stopped ??= stopListening(server, log).then(built.close);
        return stopped;
      },
    };
  } catch (error) {
    await built.close();
    throw error;
  }
}

/** Everything the routes need, from the parts up. Each part is built once, here, and closed in reverse. */
async function buildDeps(
  config: Config,
  deployment: Deployment,
  log: Logger,
): Promise<{ readonly deps: AppDeps; close(): Promise<void> }> {
  const clock = () => new Date();
  // First: it is all that can fail here, and nothing is open yet.
  const tokens = await createTokens({ secrets: config.jwtSecrets, issuer: config.domain, clock });

  // Foundations: database, secrets, chain.
  const database = connectDatabase(config.databaseUrl, log);
  const secrets = createSecrets(config.masterKeys);
  const { chainId, contracts } = deployment;
  const chain = createChainClient({ chainId, rpcUrl: config.rpcUrl });
  const index = createChainReads(database.pool);
  const links = createLinks(config.publicUrl.origin);
  const archive = createPermanentStorage(
    createItemSigner(config.storagePrivateKey),
    createLocalStorage(database.db, clock),
  );

  // Services shared by all routes.
  const answers = idempotencyStore(database.db);
  const idempotency = createIdempotency({
    store: answers,
    secrets,
    clock,
    leaseMs: IDEMPOTENCY_LEASE_MS,
    keepMs: 24 * HOUR_MS,
  });
  const readiness = createReadiness(
    readinessChecks({ db: database.db, chain, chainId: deployment.chainId }),
    READINESS_TIMEOUT_MS,
  );

  // Registration.
  const registrar = privateKeyToAccount(config.relayerPrivateKey);
  const relayer = createRelayer({
    client: chain,
    account: registrar,
    store: relayerTransactionStore(database.db),
    lease: createLease(database.pool),
    log,
    clock,
    confirmations: config.confirmations,
  });
  const soulRegistry = createSoulRegistry({
    client: chain,
    address: contracts.soulRegistry,
    registrar: registrar.address,
  });
  const registrationContext = {
    chainId,
    soulRegistry: contracts.soulRegistry,
    identityRegistry: contracts.identityRegistry,
    links,
  };
  const registrations = createRegistrationStore(database.db, clock);
  const registration = createRegistrationService({
    context: registrationContext,
    soulRegistry,
    relayer,
    archive,
    signatures: createOwnerSignatures(chain),
    store: registrations,
    secrets,
    index: { waitForBlock: (block) => index.waitForBlock(block, config.indexerWaitMs) },
    clock,
    randomNonce: () => BigInt(`0x${randomBytes(32).toString("hex")}`),
  });

  // Chronicles and verification.
  const jobs: JobQueue<Executor> = { send: async () => {} };
  const events: EventSink<Executor> = { emit: async () => {} };
  const { chroniclePlace, chronicles, chronicleRequests, verification } = buildChronicles({
    ...{ deployment, chain, index, relayer, archive, secrets, jobs, events, clock },
    db: database.db,
    indexerWaitMs: config.indexerWaitMs,
    registrar: registrar.address,
    lease: createLease(database.pool),
    confirmations: config.confirmations,
  });
  const recovery = startRecovery({
    ...{ relayer, registration, registrations, chronicles, log, clock },
    idempotency: answers,
  });

  // Sign-in.
  const { identityRegistry, soulCertificate, soulView } = contracts;
  const timeoutMs = LIVE_READ_TIMEOUT_MS;
  const passports = passportIndex(index);
  const signIn = createSignIn({
    store: signInStore(database.db),
    live: createLiveState({ client: chain, soulView, identityRegistry, timeoutMs }),
    index: passports,
    signatures: createMessageSignatures({ client: chain, timeoutMs }),
    tokens,
    clock,
    domain: config.domain,
    uri: config.publicUrl.origin,
    chainId,
    identityRegistry,
    soulCertificate,
  });
  const introspection = createIntrospection({ tokens, index: passports });

  const profiles = createProfileService({ reads: index, chainId, links });
  return {
    deps: {
      log,
      clock,
      publicUrl: config.publicUrl,
      limits: DEFAULT_LIMITS,
      readiness,
      idempotency,
      signIn,
      introspection,
      index,
      indexerWaitMs: config.indexerWaitMs,
      archive,
      names: createNameService({
        tokenOfName: soulRegistry.tokenOfName,
        isNamePending: registrations.isNamePending,
      }),
      profiles,
      tools: createTools({ profiles }),
      registration,
      registrationContext,
      ...{ links, chroniclePlace, chronicles, chronicleRequests, verification },
      registrationFiles: createRegistrationFileService({
        agentUriOfName: async (name) =>
          (await index.profileByName(name)).value?.passport?.uri ?? null,
        read: archive.read,
      }),
      status: createStatusService(
        {
          version: API_VERSION,
          chainId,
          contracts,
          startBlock: BigInt(deployment.startBlock),
          storage: { driver: archive.driver, signer: archive.signer },
        },
        {
          chainBlock: () => chain.getBlockNumber({ cacheTime: 0 }),
          indexedBlock: index.indexedBlock,
        },
      ),
    },
    async close() {
      // At once: recovery may be waiting for a transaction, and only the relayer's end ends that wait.
      await Promise.all([recovery.stop(), relayer.close()]);
      await database.close();
    },
  };
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

async function main(): Promise<void> {
  const config = readConfig(process.env);
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

/** One message for whoever started the process; a stack trace would hide it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return redactText(`${error.message}${cause}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}
