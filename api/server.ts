import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { privateKeyToAccount } from "viem/accounts";
import type { AppDeps } from "./app.ts";
import { createApp, createOperatorsApp } from "./app.ts";
import { chronicleBatchJob, chronicleFollowJob } from "./features/chronicles/batches.jobs.ts";
import { DERIVE_JOB } from "./features/chronicles/derived.ts";
import { CHRONICLE_JOBS } from "./features/chronicles/job-names.ts";
import { buildChronicles } from "./features/chronicles/parts.ts";
import { buildClaims } from "./features/claims/parts.ts";
import { buildIdentity } from "./features/did/parts.ts";
import { buildDocuments } from "./features/documents/parts.ts";
import { apiKeyStore } from "./features/keys/api-keys.store.ts";
import { createKeyExchange } from "./features/keys/exchange.ts";
import { createAgentKeys, createKeyExchangeStore } from "./features/keys/keys.store.ts";
import { keyRotationStore } from "./features/keys/rotation.store.ts";
import { createKeyRotation } from "./features/keys/rotation.ts";
import { createKeyVerification } from "./features/keys/verification.ts";
import { createEndedSouls } from "./features/life/ended-souls.ts";
import { createPassportWatch } from "./features/life/passport-watch.ts";
import { createSuspender } from "./features/life/suspension.ts";
import { suspensionStore } from "./features/life/suspensions.store.ts";
import { createRegistrationFileService } from "./features/passports/file.ts";
import { createRegistrationFiles } from "./features/passports/files.ts";
import { createPassports } from "./features/passports/passports.chain.ts";
import { createProfileService } from "./features/profile/profile.ts";
import { buildRegistration } from "./features/registration/parts.ts";
import { REGISTRATION_GAS } from "./features/registration/ports.ts";
import { registrationStatusStore } from "./features/registration/status.store.ts";
import { createRegistrationStatus } from "./features/registration/status.ts";
import { createIntrospection } from "./features/sign-in/introspection.ts";
import { passportIndex } from "./features/sign-in/passports.store.ts";
import { createSignInProfiles } from "./features/sign-in/profile.ts";
import { createSignInReads } from "./features/sign-in/reads.store.ts";
import { revokedTokenStore } from "./features/sign-in/revocation.store.ts";
import { createTokenRevocation } from "./features/sign-in/revocation.ts";
import { signInStore } from "./features/sign-in/sign-in.store.ts";
import { createSignIn } from "./features/sign-in/sign-in.ts";
import { createTokens } from "./features/sign-in/tokens.ts";
import { figuresStore } from "./features/status/figures.store.ts";
import { createFigures } from "./features/status/figures.ts";
import { createReadiness } from "./features/status/readiness.ts";
import { readinessChecks } from "./features/status/readiness-checks.ts";
import { createStatusService } from "./features/status/status.ts";
import { createTools } from "./features/tools/tools.ts";
import { createWebhookDelivery } from "./features/webhooks/delivery.ts";
import { createEventSink } from "./features/webhooks/event-sink.ts";
import { createWebhookSecrets } from "./features/webhooks/secrets.ts";
import { createWebhookStore } from "./features/webhooks/webhooks.store.ts";
import { createWebhookService } from "./features/webhooks/webhooks.ts";
import { JOBS, type JobName } from "./features.ts";
import { createAccess } from "./kernel/access.ts";
import { createLinks } from "./kernel/links.ts";
import { bindOperation } from "./operations/bind.ts";
import { buildOwnerOperations } from "./operations/parts.ts";
import { soulOperation } from "./operations/soul-operation.ts";
import { buildPages } from "./pages/parts.ts";
import { chainAnswer } from "./platform/chain/bounded.ts";
import { createNodeCircuit } from "./platform/chain/circuit.ts";
import { createChainClient } from "./platform/chain/clients.ts";
import { recovery as signatureRecovery } from "./platform/chain/recovery.ts";
import { createRelayer } from "./platform/chain/relayer.ts";
import { createMessageSignatures } from "./platform/chain/signatures.ts";
import { relayerTransactionStore } from "./platform/chain/transactions.store.ts";
import type { Config } from "./platform/config/config.ts";
import { ConfigError, readConfig, redactedConfig } from "./platform/config/config.ts";
import type { Deployment } from "./platform/config/deployment.ts";
import { readDeployment } from "./platform/config/deployment.ts";
import { connectDatabase } from "./platform/database/connect.ts";
import { createLease } from "./platform/database/lease.ts";
import { migrate } from "./platform/database/migrate.ts";
import { API_VERSION } from "./platform/http/openapi.ts";
import { createHttpServer } from "./platform/http/server.ts";
import { idempotencyStore } from "./platform/idempotency/idempotency.store.ts";
import { createIdempotency } from "./platform/idempotency/idempotency.ts";
import type { JobHandler } from "./platform/jobs/ports.ts";
import { openJobs } from "./platform/jobs/queue.ts";
import { recoveryJobs } from "./platform/jobs/recurring.ts";
import { queueDepth } from "./platform/jobs/report.ts";
import { type JobWorker, startWorker } from "./platform/jobs/worker.ts";
import { connectRedis, memoryCounters, redisCounters } from "./platform/limits/rate-counters.ts";
import type { RateCounters } from "./platform/limits/rate-limits.ts";
import { createRateLimiter } from "./platform/limits/rate-limits.ts";
import { createLog, redactText } from "./platform/log/log.ts";
import { createSmtpMailer } from "./platform/mail/smtp.ts";
import { createMetrics } from "./platform/metrics/metrics.ts";
import { createAddressPolicy } from "./platform/outbound/addresses.ts";
import { createOutboundHttp } from "./platform/outbound/client.ts";
import { createSecrets } from "./platform/secrets/secrets.ts";
import { createSponsorshipStore } from "./platform/sponsorship/sponsorship.store.ts";
import { createSponsorship } from "./platform/sponsorship/sponsorship.ts";
import { buildStorage } from "./platform/storage/parts.ts";
import { createAgentOwners } from "./soul/agent-owners.ts";
import { createCurrentReads, currentKeys, currentTokens } from "./soul/current-reads.ts";
import { createIndexAge } from "./soul/index-age.ts";
import { createChainReads } from "./soul/indexed.store.ts";
import { createLiveState } from "./soul/live-state.chain.ts";
import { createOwnershipReads } from "./soul/ownership.chain.ts";
import { createSoulReader } from "./soul/text/soul-reader.ts";

const HOUR_MS = 60 * 60 * 1000;
/** A crashed request blocks its Idempotency-Key this long. */
const IDEMPOTENCY_LEASE_MS = 30_000;
const READINESS_TIMEOUT_MS = 2_000;
const LIVE_READ_TIMEOUT_MS = 5_000;
/** Longest wait for the chain's head, which is read every second. */
const HEAD_TIMEOUT_MS = 2_000;
/** Time limit for running jobs at shutdown; they are retried by another process. */
const JOBS_SHUTDOWN_MS = 8_000;
const SIGN_IN_CHAIN_TIMEOUT_MS = 8_000;
/** Longest wait for one passport's registration file, and how many are remembered. */
const REGISTRATION_FILE_TIMEOUT_MS = 1_000;
const REGISTRATION_FILES_REMEMBERED = 2_000;
/** How old the home page's figures may be. */
const FIGURES_KEPT_MS = 15_000;
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
  /** Default: the time. Jobs keep the time of their queue. */
  readonly clock?: (() => Date) | undefined;
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
  parts: ServerParts = {},
): Promise<RunningServer> {
  await migrate(config.databaseUrl, config.migrationDatabaseUrl).catch((cause: unknown) => {
    throw new Error("The database cannot be reached or migrated.", { cause });
  });
  const clock = parts.clock ?? (() => new Date());
  const built = await buildDeps(config, deployment, log, clock);
  const app = config.roles.has("api") ? createApp(built.deps) : createOperatorsApp(built.deps);
  const server = createHttpServer(app.fetch);
  try {
    const port = await listen(server, config);
    log.info({ ...redactedConfig(config), port, chainId: deployment.chainId }, "listening");
    log.info({ signatureRecovery: signatureRecovery.path }, "signatures are checked on this path");
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

/**
 * Everything the routes need, from the parts up. Each part is built once, here, and closed in
 * reverse.
 */
async function buildDeps(
  config: Config,
  deployment: Deployment,
  log: Logger,
  clock: () => Date,
): Promise<{ readonly deps: AppDeps; close(): Promise<void> }> {
  // First what can fail while nothing else is open.
  const tokens = await createTokens({ secrets: config.jwtSecrets, issuer: config.domain, clock });
  // Every process enqueues jobs; only those with the role run them.
  const jobs = await openJobs({
    databaseUrl: config.databaseUrl,
    log,
    rules: JOBS,
    purpose: config.roles.has("jobs") ? "work" : "send",
  });

  // Foundations: database, secrets, chain.
  const database = connectDatabase(config.databaseUrl, log, {
    silenceMs: config.databaseSilenceMs,
  });
  const secrets = createSecrets(config.masterKeys);
  const { chainId, contracts } = deployment;
  const metrics = createMetrics();
  const circuit = createNodeCircuit();
  const node = { chainId, rpcUrl: config.rpcUrl, observe: metrics.chainCall, circuit };
  const chain = createChainClient(node);
  const headClient = createChainClient({ ...node, timeoutMs: HEAD_TIMEOUT_MS });
  const index = createChainReads(database.pool);
  const age = createIndexAge({
    chainBlock: () =>
      chainAnswer(HEAD_TIMEOUT_MS, () => headClient.getBlockNumber({ cacheTime: 0 })),
    indexedBlock: index.indexedBlock,
    maxAgeMs: config.maxIndexAgeMs,
    now: () => performance.now(),
  });
  const counters = connectCounters(config, log);
  const links = createLinks(config.publicUrl.origin);
  const { rpcUrl, publicUrl } = config;
  const pages = buildPages({ chainId, rpcUrl, publicUrl, links });
  const souls = createSoulReader(config.parsing, log);
  const storage = buildStorage({ config, metrics, log, clock, db: database.db });
  const { archive } = storage;

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
    readinessChecks({ db: database.db, chain, chainId: deployment.chainId, age }),
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
  const outbound = createOutboundHttp({ policy: createAddressPolicy(config.outboundAllow) });
  const sponsorship = createSponsorship({
    store: createSponsorshipStore(database.db),
    limits: config.sponsorship,
    largestGas: REGISTRATION_GAS,
    clock,
    refused: metrics.gasRefused,
  });
  const registrationsBuilt = buildRegistration({
    deployment,
    chain,
    index,
    relayer,
    archive,
    secrets,
    links,
    jobs,
    outbound,
    clock,
    db: database.db,
    indexerWaitMs: config.indexerWaitMs,
    registrar: registrar.address,
    sponsorship,
  });
  const { registration, registrationEngine, registrationContext, registrations, soulRegistry } =
    registrationsBuilt;
  const { names, unclaimed, agentRegistrations, claims, claimJobs } = buildClaims({
    chain,
    index,
    registrationContext,
    registrationEngine,
    secrets,
    souls,
    clock,
    registrationParts: registrationsBuilt.registrationParts,
    claimDocuments: registrationsBuilt.claimDocuments,
    db: database.db,
    indexerWaitMs: config.indexerWaitMs,
    tokenOfName: soulRegistry.tokenOfName,
    limits: config.pendingLimits,
    confirmations: config.confirmations,
  });

  // Sign-in.
  const { identityRegistry, soulCertificate, soulView } = contracts;
  const timeoutMs = LIVE_READ_TIMEOUT_MS;
  const live = createLiveState({ client: chain, soulView, identityRegistry, timeoutMs });
  const current = createCurrentReads({
    reads: index,
    age,
    ownership: createOwnershipReads({ client: chain, soulView, timeoutMs }),
  });
  const signInReads = createSignInReads(database.pool);
  const files = createRegistrationFiles({
    stored: archive.read,
    timeoutMs: REGISTRATION_FILE_TIMEOUT_MS,
    remembered: REGISTRATION_FILES_REMEMBERED,
  });
  const signIn = createSignIn({
    store: signInStore(database.db),
    live,
    index: passportIndex(index),
    signatures: createMessageSignatures({ client: chain, timeoutMs }),
    tokens,
    clock,
    domain: config.domain,
    uri: config.publicUrl.origin,
    chainId,
    identityRegistry,
    profiles: createSignInProfiles({ index: signInReads, files, links, soulCertificate }),
    chainTimeoutMs: SIGN_IN_CHAIN_TIMEOUT_MS,
  });
  const introspection = createIntrospection({
    tokens,
    index: currentTokens(signInReads, age),
  });
  const revoked = revokedTokenStore(database.db);

  // Credentials and limits.
  const owners = createAgentOwners({
    passportOf: async (tokenId) => {
      const { at, value } = await index.profileByTokenId(tokenId);
      // An index that is behind cannot say that there is no such agent.
      if (value === null && !age.isFresh(at)) throw age.behind(at);
      return value?.soul.passportId ?? null;
    },
    live,
  });
  const keys = currentKeys(index, age);
  const access = createAccess({ keys, sessions: introspection, owners, clock });

  // Webhooks.
  const mailer = config.smtp === undefined ? null : createSmtpMailer(config.smtp);
  const webhookHttp = createOutboundHttp({
    policy: createAddressPolicy(config.outboundAllow, config.outboundLoopbackHttp),
  });
  const webhookParts = {
    store: createWebhookStore(database.db),
    queue: jobs,
    http: webhookHttp,
    secrets: createWebhookSecrets(secrets),
    agents: index,
    clock,
  };
  const events = createEventSink(webhookParts);
  const deliveries = createWebhookDelivery({
    ...webhookParts,
    // An old index would send events of a sold agent to its seller.
    agents: current,
    mailer,
    observe: metrics.delivery,
  });
  const webhooks = createWebhookService({ ...webhookParts, agents: current, access });

  // Chronicles and verification.
  const chronicleParts = buildChronicles({
    current: {
      profileByName: current.profileByName,
      profileByTokenId: current.profileByTokenId,
      soulOrigin: index.soulOrigin,
    },
    deployment,
    chain,
    index,
    relayer,
    archive,
    links,
    outbound,
    secrets,
    jobs,
    events,
    clock,
    db: database.db,
    indexerWaitMs: config.indexerWaitMs,
    registrar: registrar.address,
    lease: createLease(database.pool),
    confirmations: config.confirmations,
    sponsorship,
  });
  const { chroniclePlace, chronicles, chronicleRequests, passportUpdates } = chronicleParts;
  const { batches, verification, chronicleDefinitions } = chronicleParts;

  // Soul documents, and what agents say and show of themselves.
  const { derivedChronicles, ...documentParts } = buildDocuments({
    deployment,
    chain,
    index,
    archive,
    secrets,
    jobs,
    chronicles,
    links,
    clock,
    db: database.db,
  });

  // Identity.
  const { didRecords, didUpdate, keySetUpdate, ...identity } = buildIdentity({
    context: registrationContext,
    agentKeys: contracts.agentKeys,
    current,
    age,
    archive,
    files,
    events,
    clock,
    pool: database.pool,
  });

  // What owners sign for their agents.
  const ownerParts = buildOwnerOperations({
    deployment,
    chain,
    index,
    relayer,
    archive,
    links,
    outbound,
    clock,
    verification,
    sponsorship,
    db: database.db,
    indexerWaitMs: config.indexerWaitMs,
    registrar: registrar.address,
  });
  const { operations, souls: operatedSouls, definitions, ...ownerSigned } = ownerParts;
  const didOperation = soulOperation(didUpdate, operatedSouls);
  const keySetOperation = soulOperation(keySetUpdate, operatedSouls);

  // Jobs.
  const suspensions = suspensionStore(database.db);
  const passportsOnChain = createPassports({
    client: chain,
    soulView: contracts.soulView,
    soulRegistry: contracts.soulRegistry,
    passportWriter: contracts.passportWriter,
    identityRegistry: contracts.identityRegistry,
    relayer: registrar.address,
  });
  const watch = createPassportWatch({
    index,
    jobs,
    clock,
    chainId,
    chain: passportsOnChain,
    store: suspensions,
    events,
    confirmations: config.confirmations,
  });
  const clearEnded = createEndedSouls({ index, registry: passportsOnChain, relayer, clock });
  const handlers: Readonly<Record<JobName, JobHandler>> = {
    ...recoveryJobs({
      relayer,
      registration: registrationEngine,
      registrations,
      operations: {
        recover: () =>
          operations.recover([
            ...definitions,
            ...chronicleDefinitions,
            didOperation,
            keySetOperation,
          ]),
      },
      clock,
      idempotency: answers,
    }),
    "passports.watch": (_data, signal) => watch.followTraces(signal),
    "passports.poll": async (_data, signal) => {
      await watch.poll(signal);
      await clearEnded(signal);
    },
    "passport.suspend": createSuspender({
      registry: passportsOnChain,
      relayer,
      records: suspensions,
      clock,
    }),
    ...deliveries.handlers,
    ...claimJobs,
    ...storage.handlers,
    [CHRONICLE_JOBS.batch]: chronicleBatchJob(batches),
    [CHRONICLE_JOBS.follow]: chronicleFollowJob(batches),
    [DERIVE_JOB]: derivedChronicles.job,
  };
  const close = async () => {
    age.stop();
    // At once: a job may be waiting for a transaction, and only the relayer's end ends that wait.
    await Promise.all([work.stop(JOBS_SHUTDOWN_MS), relayer.close()]);
    counters.close();
    await Promise.all([outbound.close(), webhookHttp.close(), souls.close()]);
    await storage.close();
    mailer?.close();
    await database.close();
  };
  let work: JobWorker = { stop: jobs.close };
  // The first answers need a head already.
  await age.sample();
  age.start();
  metrics.observe({
    indexerLag: async () => {
      const { lagBlocks } = age.standing();
      if (lagBlocks === null) throw new Error("The lag is not known.");
      return lagBlocks;
    },
    queueDepth: () => queueDepth(database.db),
    unsettledUploads: storage.countUnsettled,
    sponsoredGas: sponsorship.today,
    relayerBalance: () => chain.getBalance({ address: registrar.address }),
    databasePool: () => database.pool,
    chainCircuit: circuit.standing,
  });

  if (config.roles.has("jobs")) {
    work = await startWorker({
      jobs,
      handlers,
      log,
      db: database.db,
      observe: metrics.job,
    }).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }

  const profiles = createProfileService({
    reads: current,
    unclaimed,
    chainId,
    links,
    didRecords,
  });

  return {
    deps: {
      log,
      clock,
      publicUrl: config.publicUrl,
      access,
      rates: createRateLimiter({
        counters: counters.counters,
        limits: config.rateLimits,
        organizations: config.rateLimitOrganizations,
        clock,
      }),
      trustedProxies: config.trustedProxies,
      readiness,
      metrics,
      metricsToken: config.metricsToken,
      idempotency,
      signIn,
      introspection,
      revocation: createTokenRevocation({ tokens, revoked, clock }),
      apiKeys: createKeyVerification({
        keys: apiKeyStore(database.db),
        index: signInReads,
        live,
        clock,
      }),
      registrationStatus: createRegistrationStatus(registrationStatusStore(database.db, clock)),
      age,
      index,
      indexerWaitMs: config.indexerWaitMs,
      archive,
      keyRotation: createKeyRotation({
        store: keyRotationStore(database.db),
        owners,
        secrets,
        clock,
      }),
      keyExchange: createKeyExchange({
        store: createKeyExchangeStore(database.db),
        agents: index,
        owners,
        secrets,
        clock,
      }),
      agentKeys: createAgentKeys(database.db, clock),
      names,
      agentRegistrations,
      claims,
      profiles,
      tools: createTools({ profiles, souls }),
      registration,
      registrationContext,
      ...identity,
      didUpdates: bindOperation(operations, didOperation),
      keySetUpdates: bindOperation(operations, keySetOperation),
      links,
      chroniclePlace,
      chronicles,
      chronicleRequests,
      passportUpdates,
      verification,
      figures: createFigures({ count: figuresStore(database.db), clock, keptMs: FIGURES_KEPT_MS }),
      registrationFileOf: async (name) => {
        const uri = (await index.profileByName(name)).value?.passport?.uri ?? null;
        return uri === null ? null : files.read(uri);
      },
      ...documentParts,
      ...ownerSigned,
      registrationFiles: createRegistrationFileService({
        reads: index,
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
          indexedBlock: index.indexedBlock,
          age,
        },
      ),
      webhooks,
      pages,
    },
    close,
  };
}

/** Rate limits are counted in this process, or in Redis for all of them. */
function connectCounters(
  config: Config,
  log: Logger,
): { readonly counters: RateCounters; close(): void } {
  if (config.redisUrl === undefined) return { counters: memoryCounters(), close: () => {} };
  const { redis, close } = connectRedis(config.redisUrl, log);
  return { counters: redisCounters({ redis, replicas: config.replicas, log }), close };
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

/** One message for the operator; a stack trace would hide it. */
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
