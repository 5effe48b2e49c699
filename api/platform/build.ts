import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createLinks } from "../kernel/links.ts";
import { createNodesClient } from "./chain/clients.ts";
import { createRelayerLanes } from "./chain/lanes/lanes.ts";
import { createLaneWatch } from "./chain/lanes/standing.ts";
import { createChainNodes } from "./chain/nodes.ts";
import { createRelayer } from "./chain/relayer.ts";
import { relayerTransactionStore } from "./chain/transactions.store.ts";
import type { Config } from "./config/config.ts";
import type { Deployment } from "./config/deployment.ts";
import { connectDatabase, type Database } from "./database/connect.ts";
import { createLease } from "./database/lease.ts";
import { createReads } from "./database/reads.ts";
import { forgetRows } from "./database/retention.ts";
import { idempotencyStore } from "./idempotency/idempotency.store.ts";
import { createIdempotency } from "./idempotency/idempotency.ts";
import type { JobHandler, JobQueue } from "./jobs/ports.ts";
import { type JobClock, openJobs } from "./jobs/queue.ts";
import type { JobRules } from "./jobs/rules.ts";
import { limitedAddress } from "./limits/client-address.ts";
import { connectRedis, memoryCounters, redisCounters } from "./limits/rate-counters.ts";
import type { RateCounters } from "./limits/rate-limits.ts";
import { createRateLimiter } from "./limits/rate-limits.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { createAddressPolicy } from "./outbound/addresses.ts";
import { createOutboundHttp } from "./outbound/client.ts";
import { createHostCounts } from "./outbound/host-budget.store.ts";
import { createHostBudget } from "./outbound/host-budget.ts";
import { createSecrets } from "./secrets/secrets.ts";
import { createStatements } from "./secrets/statements.ts";
import { createSponsorshipStore } from "./sponsorship/gas-budget.store.ts";
import { createSponsorship } from "./sponsorship/gas-budget.ts";
import { standingOf } from "./sponsorship/known-owners.store.ts";
import { createSponsoredRelayer } from "./sponsorship/sponsored-relayer.ts";
import { buildStorage } from "./storage/build.ts";
import { buildTracing } from "./tracing/build.ts";

const HOUR_MS = 60 * 60 * 1000;
/** A crashed request blocks its Idempotency-Key this long. */
const IDEMPOTENCY_LEASE_MS = 30_000;
/** How long PostgreSQL may be silent while the process starts: no request waits for it yet. */
const START_SILENCE_MS = 10_000;

export interface PlatformOptions {
  readonly config: Config;
  readonly deployment: Deployment;
  readonly log: Logger;
  readonly clock: () => Date;
  /** The clock of the job queue, timers included. Default: the time. */
  readonly jobClock: JobClock | undefined;
  /** Every kind of job, of all features. */
  readonly jobRules: JobRules;
  /** The tables of all features. */
  readonly tables: readonly object[];
  /** Gas of the largest transaction that the service pays for. */
  readonly largestGas: bigint;
}

/** What every feature stands on, under the names that features ask for. */
export type Platform = Omit<RunningPlatform, "jobs"> & { readonly jobs: JobQueue };
export type RunningPlatform = Awaited<ReturnType<typeof buildPlatform>>;

/** Builds the platform. It ends in two steps: the relayer together with the jobs, then `close`. */
export async function buildPlatform(options: PlatformOptions) {
  const { config, deployment, log, clock } = options;
  // First, because it is what can fail while nothing else is open. Every process sends jobs; those with
  // the role run them.
  const jobs = await openJobs({
    databaseUrl: config.databaseUrl,
    log,
    rules: options.jobRules,
    purpose: config.roles.has("jobs") ? "work" : "send",
    clock: options.jobClock,
  });
  const { db, pool, ...database } = connectDatabase(config.databaseUrl, log, {
    silenceMs: config.databaseSilenceMs,
    startSilenceMs: START_SILENCE_MS,
  });
  const reads = createReads({
    primary: pool,
    readUrl: config.databaseRead.url,
    maxLagMs: config.databaseRead.maxLagMs,
    waitMs: config.databaseRead.waitMs,
    silenceMs: config.databaseSilenceMs,
    log,
  });
  const secrets = createSecrets(config.masterKeys);
  const metrics = createMetrics();
  const tracing = await buildTracing(config.tracing, log, metrics);
  const storage = buildStorage({ config, db, metrics, log, clock });
  const hostBudget = createHostBudget({ counts: createHostCounts(db), limitedAddress, clock });
  const outbound = createOutboundHttp({
    policy: createAddressPolicy(config.outboundAllow),
    budget: hostBudget,
  });
  const counters = connectCounters(config, log);
  const transactions = buildChain({ config, deployment, metrics, db, pool, log, clock });
  const sponsorship = createSponsorship({
    store: createSponsorshipStore(db),
    limits: config.sponsorship,
    largestGas: options.largestGas,
    clock,
    refused: metrics.gasRefused,
  });
  const standing = (accounts: readonly Address[]) => standingOf(db, accounts, clock());
  const answers = idempotencyStore(db);
  const idempotency = createIdempotency({
    store: answers,
    secrets,
    clock,
    leaseMs: IDEMPOTENCY_LEASE_MS,
    keepMs: 24 * HOUR_MS,
  });
  return {
    config,
    deployment,
    log,
    clock,
    jobs,
    db,
    pool,
    reads,
    secrets,
    metrics,
    tracing,
    storage,
    archive: storage.archive,
    statements: createStatements(config.storagePrivateKey),
    outbound,
    hostBudget,
    links: createLinks(config.publicUrl.origin),
    indexerWaitMs: config.indexerWaitMs,
    confirmations: config.confirmations,
    rates: createRateLimiter({
      counters: counters.counters,
      limits: config.rateLimits,
      organizations: config.rateLimitOrganizations,
      clock,
    }),
    sponsorship,
    standingOf: standing,
    sponsoredRelayer: createSponsoredRelayer({
      relayer: transactions.relayer,
      standingOf: standing,
      gas: {
        reserve: (operationId, gas, sponsor) =>
          db.transaction((tx) =>
            sponsorship.reserve(tx, { operationId, gas, sponsor, registrant: null }),
          ),
        release: (operationId) => db.transaction((tx) => sponsorship.release(tx, operationId)),
      },
    }),
    idempotency,
    ...transactions,
    platformJobs: {
      "transactions.follow": () => transactions.relayer.recover(),
      "answers.forget": async () => {
        await answers.deleteExpired(clock());
      },
      "rows.forget": async (_data, signal) => {
        const gone = await forgetRows(db, options.tables, clock(), signal);
        if (Object.keys(gone).length > 0)
          log.info({ gone }, "rows were deleted at the end of their retention");
      },
      ...storage.handlers,
    } as const satisfies Readonly<Record<string, JobHandler>>,
    /** The process listens: from now on requests wait for the database. */
    started: database.started,
    async close() {
      counters.close();
      transactions.nodes.stop();
      await outbound.close();
      await storage.close();
      await tracing?.close();
      await reads.close();
      await database.close();
    },
  };
}

/** The node, and the account that sends transactions. */
function buildChain(options: {
  readonly config: Config;
  readonly deployment: Deployment;
  readonly metrics: Metrics;
  readonly db: Database;
  readonly pool: Pool;
  readonly log: Logger;
  readonly clock: () => Date;
}) {
  const { config, deployment, metrics, db, pool, log, clock } = options;
  const nodes = createChainNodes({
    urls: config.rpcUrls,
    chainId: deployment.chainId,
    now: () => performance.now(),
  });
  nodes.start();
  const node = { chainId: deployment.chainId, nodes, observe: metrics.chainCall };
  const chain = createNodesClient(node);
  const store = relayerTransactionStore(db);
  const lease = createLease(pool);
  const laneOf = (key: Hex) => {
    const account = privateKeyToAccount(key);
    const { confirmations } = config;
    const relayer = createRelayer({
      client: chain,
      account,
      store,
      lease,
      log,
      clock,
      confirmations,
    });
    return { account: account.address, relayer };
  };
  const registrar = laneOf(config.relayerPrivateKey);
  const further = config.relayerPrivateKeys.map(laneOf);
  const lanes = [registrar, ...further] as const;
  const relayerAccounts = [registrar.account, ...further.map(({ account }) => account)] as const;
  const laneWatch = createLaneWatch({
    client: chain,
    contracts: deployment.contracts,
    accounts: relayerAccounts,
    log,
  });
  return {
    nodes,
    node,
    chain,
    relayer: createRelayerLanes({ lanes, store, watch: laneWatch }),
    registrar: registrar.account,
    relayerAccounts,
    laneWatch,
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
