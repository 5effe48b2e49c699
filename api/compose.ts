import type { Logger } from "pino";
import { buildAgentPage } from "../web/agent-page/build.ts";
import { buildPages } from "../web/build.ts";
import { buildConsole } from "../web/console/build.ts";
import { buildExplorer } from "../web/explorer/build.ts";
import { buildGuides } from "../web/guides/build.ts";
import { buildSharing } from "../web/sharing/build.ts";
import type { AppDeps } from "./app.ts";
import { buildAlignment } from "./features/alignment/build.ts";
import { buildAllowances } from "./features/allowances/build.ts";
import { buildAudits } from "./features/audits/build.ts";
import { buildBindings } from "./features/bindings/build.ts";
import { buildChronicles } from "./features/chronicles/build.ts";
import { buildClaims } from "./features/claims/build.ts";
import { createProvisionalKeys } from "./features/claims/provisional-keys.store.ts";
import { buildDid } from "./features/did/build.ts";
import { buildDisclosure } from "./features/disclosure/build.ts";
import { buildDocuments, buildUploads } from "./features/documents/build.ts";
import { buildDomains } from "./features/domains/build.ts";
import { buildEmergencyStop } from "./features/emergency-stop/build.ts";
import { wasStopped } from "./features/emergency-stop/stops.store.ts";
import { buildEndings } from "./features/endings/build.ts";
import { buildEndpointChecks } from "./features/endpoint-checks/build.ts";
import { buildEvents } from "./features/events/build.ts";
import { buildKeys } from "./features/keys/build.ts";
import { createKeyUses, recordedKeys } from "./features/keys/last-use.store.ts";
import { buildLife } from "./features/life/build.ts";
import { BATCH_GAS } from "./features/organizations/batches/batch.ts";
import { buildOrganizations } from "./features/organizations/build.ts";
import { buildPassports } from "./features/passports/build.ts";
import { buildPrivateData } from "./features/private-data/build.ts";
import { buildProfile } from "./features/profile/build.ts";
import { buildRegistration } from "./features/registration/build.ts";
import { buildSignIn } from "./features/sign-in/build.ts";
import { liveCredentials } from "./features/sign-in/live-credentials.store.ts";
import { createTokens, type Tokens } from "./features/sign-in/tokens/tokens.ts";
import { buildStatus } from "./features/status/build.ts";
import { createTools } from "./features/tools/tools.ts";
import { buildValidations, buildVerification } from "./features/verification/build.ts";
import { buildWebhooks } from "./features/webhooks/build.ts";
import { type DecisionParts, decisions, JOBS, type JobName, TABLES } from "./features.ts";
import { createAccess } from "./kernel/access.ts";
import { readsBesideDatabase } from "./kernel/database-alone.ts";
import { buildOperationEngine } from "./operations/build.ts";
import { buildDecisions } from "./operations/decisions/build.ts";
import type { WaitingDefinition } from "./operations/waiting/waiting.ts";
import { buildPlatform, type RunningPlatform } from "./platform/build.ts";
import { openTransactions } from "./platform/chain/transactions.store.ts";
import type { Config } from "./platform/config/config.ts";
import type { Deployment } from "./platform/config/deployment.ts";
import { listReplicas } from "./platform/database/replicas.store.ts";
import { createKeptAnswers } from "./platform/http/kept/kept-answers.ts";
import type { JobHandler } from "./platform/jobs/ports.ts";
import type { JobClock } from "./platform/jobs/queue.ts";
import { queueAges, queueDepth } from "./platform/jobs/report.ts";
import { type JobWorker, startWorker } from "./platform/jobs/worker.ts";
import { lastAudit } from "./platform/storage/audits.store.ts";
import { buildSoulReads, type SoulReads } from "./soul/build.ts";
import { indexFaults } from "./soul/comparison/faults.store.ts";
import { currentKeys } from "./soul/current-reads.ts";
import { countedViews } from "./soul/public-state/counted-views.store.ts";
import { publicStateReader } from "./soul/public-state/public-state.store.ts";

/** Time limit for running jobs at shutdown; they are retried by another process. */
const JOBS_SHUTDOWN_MS = 8_000;

/** The service as it runs. */
export interface Composition {
  readonly deps: AppDeps;
  /** The process listens: from now on a silent database is noticed within its limit. */
  started(): void;
  /** Ends answers that would go on for ever. Others are finished. */
  endStreams(): void;
  /** Ends jobs first, then what they use, and the database last. */
  close(): Promise<void>;
}

/** A test replaces them. */
export interface Clocks {
  readonly clock: () => Date;
  /** The clock of the job queue, timers included. Default: the time. */
  readonly jobClock: JobClock | undefined;
}

/** Builds the service from the platform up, each part once and in plain order, and starts its jobs. */
export async function compose(
  config: Config,
  deployment: Deployment,
  log: Logger,
  { clock: time, jobClock }: Clocks,
): Promise<Composition> {
  const clock = () => {
    readsBesideDatabase();
    return time();
  };
  // First what can fail while nothing else is open.
  const tokens = createTokens({ secrets: config.jwtSecrets, issuer: config.domain, clock });
  // Takes a second of a busy processor: while the database is open, it would seem not to answer.
  const guides = buildGuides();
  const platform = await buildPlatform({
    config,
    deployment,
    log,
    clock,
    jobClock,
    jobRules: JOBS,
    tables: TABLES,
    largestGas: BATCH_GAS,
  });
  const souls = buildSoulReads(platform);
  const features = buildFeatures(platform, souls, { tokens, guides });

  let work: JobWorker = { stop: platform.jobs.close };
  const close = async () => {
    souls.age.stop();
    // At once: a job may be waiting for a transaction, and only the relayer's end ends that wait.
    await Promise.all([work.stop(JOBS_SHUTDOWN_MS), platform.relayer.close()]);
    await Promise.all([features.close(), souls.soulReader.close()]);
    await platform.close();
  };
  // The first answers need a head already.
  await souls.age.sample();
  souls.age.start();
  observe(platform, souls);
  if (config.roles.has("jobs")) {
    const { jobs, db, metrics, tracing } = platform;
    const { handlers } = features;
    work = await startWorker({ jobs, handlers, log, db, tracing, observe: metrics.job }).catch(
      async (error: unknown) => {
        await close();
        throw error;
      },
    );
  }
  const { deps } = features;
  return { deps, started: platform.started, endStreams: deps.eventFollower.close, close };
}

/** Passports and credentials: who calls, and what is sent to them. */
function buildCallers(base: FeatureBase, tokens: Tokens) {
  const passports = buildPassports(base);
  const keyUses = createKeyUses(base.db, base.clock);
  const signIn = buildSignIn({ ...base, tokens, keyUses, files: passports.files });
  const access = createAccess({
    keys: recordedKeys(currentKeys(base.index, base.age), keyUses, base.clock),
    sessions: { ...signIn.introspection, ...signIn.consoleSessions },
    souls: base.souls,
    clock: base.clock,
  });
  const assertLive = liveCredentials(base.clock);
  const provisionalKeys = createProvisionalKeys(base.db);
  const keys = buildKeys({ ...base, provisionalKeys, assertLive });
  const webhooks = buildWebhooks({ ...base, access, assertLive });
  return { passports, signIn, access, keys, webhooks };
}

/** How agents come to be. */
function buildNewAgents(
  base: FeatureBase,
  passports: Callers["passports"],
  { events, webhookEpochs }: Callers["webhooks"],
) {
  const uploads = buildUploads(base);
  const registration = buildRegistration({ ...base, ...passports, uploads, wasStopped });
  const claims = buildClaims({
    ...base,
    ...registration,
    uploads,
    events,
    webhookEpochs,
    wasStopped,
  });
  return { uploads, registration, claims };
}

interface KnownFrom {
  readonly passports: Callers["passports"];
  readonly registration: NewAgents["registration"];
  readonly chronicles: ReturnType<typeof buildChronicles>;
  readonly events: Callers["webhooks"]["events"];
  readonly unclaimed: NewAgents["claims"]["unclaimed"];
}

/** What is public about agents, and how it is checked. */
function buildKnown(
  base: FeatureBase,
  { passports, registration, chronicles, events, unclaimed }: KnownFrom,
) {
  const did = buildDid({ ...base, files: passports.files, events });
  const profile = buildProfile({ ...base, ...chronicles, unclaimed, didRecords: did.didRecords });
  const domains = buildDomains({
    ...base,
    context: registration.registrationContext,
    registered: profile.registered,
  });
  const { context } = passports.passportFiles;
  const verification = buildVerification({ ...base, unclaimed, context });
  const validations = buildValidations({ ...base, ...verification, context });
  const endpoints = buildEndpointChecks({ ...base, ...passports });
  return {
    profile,
    endpointCheckJobs: endpoints.endpointCheckJobs,
    close: endpoints.closeEndpointChecks,
    deps: {
      ...did,
      ...profile,
      ...domains,
      ...verification,
      ...validations,
      endpointChecks: endpoints.endpointChecks,
    },
  };
}

function pageKit({ config, deployment, links }: RunningPlatform) {
  const { rpcUrls, publicUrl } = config;
  const { chainId } = deployment;
  return buildPages({ chainId, rpcUrl: rpcUrls[0], publicUrl, links });
}

/** What every feature is built from. */
type FeatureBase = RunningPlatform & SoulReads & ReturnType<typeof buildOperationEngine>;
type Callers = ReturnType<typeof buildCallers>;
type NewAgents = ReturnType<typeof buildNewAgents>;

/** What was built before anything was open. */
interface Prepared {
  readonly tokens: Tokens;
  readonly guides: ReturnType<typeof buildGuides>;
}

/** What no other feature needs. */
function buildApart(base: FeatureBase, chronicles: ReturnType<typeof buildChronicles>) {
  return {
    ...buildStatus(base),
    ...buildPrivateData(base),
    ...buildConsole(base),
    ...buildExplorer(base),
    ...buildSharing(base),
    ...buildEvents({ ...base, ...chronicles }),
    ...buildAgentPage(base),
    kept: createKeptAnswers({
      presentState: publicStateReader({
        pool: base.pool,
        countsViews: countedViews(base.pool, base.log),
      }),
      mayReadReplica: base.reads.mayReadReplica,
      age: base.age,
      observe: base.metrics.keptAnswer,
    }),
  };
}

/** Every feature, after those that it needs. */
function buildFeatures(platform: RunningPlatform, souls: SoulReads, prepared: Prepared) {
  const { tokens, guides } = prepared;
  const { config } = platform;
  const engine = buildOperationEngine({ ...platform, ...souls });
  const base = { ...platform, ...souls, ...engine };

  const { passports, signIn, access, keys, webhooks } = buildCallers(base, tokens);
  const { events, webhookEpochs } = webhooks;

  const newAgents = buildNewAgents(base, passports, webhooks);
  const { uploads, registration, claims } = newAgents;
  const { unclaimed } = claims;

  // What happens to them.
  const life = buildLife({ ...base, events });
  const chronicles = buildChronicles({ ...base, ...passports, events });
  const documents = buildDocuments({ ...base, ...chronicles, uploads });
  const bindings = buildBindings({ ...base, events, unclaimed });
  const endings = buildEndings({
    ...base,
    ...registration,
    ...passports,
    events,
    webhookEpochs,
    wasStopped,
  });

  const known = buildKnown(base, { passports, registration, chronicles, events, unclaimed });
  const { profile } = known;

  const organizations = buildOrganizations({ ...base, ...registration });
  const { disclosureJobs, ...disclosure } = buildDisclosure({ ...base, ...webhooks, unclaimed });
  const { auditJobs, ...audits } = buildAudits({ ...base, ...webhooks });
  const { alignmentJobs, ...alignment } = buildAlignment({ ...base, events, unclaimed });

  const { operations } = engine;
  const allowances = buildAllowances(base);
  const emergencyStop = buildEmergencyStop({ ...base, ...allowances, webhookEpochs });

  const built = {
    ...base,
    ...passports,
    ...signIn,
    ...keys,
    ...webhooks,
    ...registration,
    ...claims,
    ...life,
    ...chronicles,
    ...documents,
    ...bindings,
    ...endings,
    ...known.deps,
    ...allowances,
    ...emergencyStop,
    ...organizations,
    ...disclosure,
    ...audits,
    ...alignment,
    ...buildApart(base, chronicles),
    ...guides,
  };
  // What one account decides by its signature.
  const signed = buildDecisions<DecisionParts>(decisions, built, engine);
  const deps: AppDeps = {
    ...built,
    ...signed,
    access,
    tools: createTools({ profiles: profile.profiles, souls: souls.soulReader }),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    pages: pageKit(platform),
  };
  /** Operations whose signers may sign one after the other. */
  const { join } = organizations.organizationOperations.definitions;
  const waitingDefinitions: readonly WaitingDefinition[] = [join];
  const handlers: Readonly<Record<JobName, JobHandler>> = {
    ...platform.platformJobs,
    ...webhooks.webhookJobs,
    ...registration.registrationJobs,
    ...claims.claimJobs,
    ...life.lifeJobs,
    ...chronicles.chronicleJobs,
    ...bindings.bindingJobs,
    ...endings.endingJobs,
    ...disclosureJobs,
    ...auditJobs,
    ...alignmentJobs,
    ...known.endpointCheckJobs,
    "operations.finish": () =>
      operations
        .recover([
          ...signed.decisionDefinitions,
          ...registration.registrationDefinitions,
          ...claims.claimDefinitions,
          ...chronicles.chronicleDefinitions,
          ...bindings.bindingDefinitions,
          ...Object.values(allowances.allowanceChanges),
          ...emergencyStop.stopDefinitions,
          ...organizations.organizationDefinitions,
        ])
        .finally(() => operations.waiting.review(waitingDefinitions)),
  };
  const close = () => Promise.all([webhooks.close(), known.close()]);
  return { deps, handlers, close };
}

/** What operators measure that nothing else reports by itself. */
function observe(platform: RunningPlatform, { age }: SoulReads): void {
  const {
    db,
    pool,
    reads,
    nodes,
    laneWatch,
    relayerAccounts,
    sponsorship,
    storage,
    metrics,
    clock,
  } = platform;
  const { clock: jobClock } = platform.jobs;
  metrics.observe({
    indexerLag: async () => {
      const { lagBlocks } = age.standing();
      if (lagBlocks === null) throw new Error("The lag is not known.");
      return lagBlocks;
    },
    indexFaults: () => indexFaults(db),
    queueDepth: () => queueDepth(db),
    queueAges: () => queueAges(db, new Date(jobClock.now())),
    unsettledUploads: storage.countUnsettled,
    sponsoredGas: sponsorship.today,
    storageAudit: () => lastAudit(db),
    relayers: laneWatch.standings,
    openTransactions: () => openTransactions(db, relayerAccounts, clock()),
    readReplica: () => reads.replica && { isUsable: reads.replica.standing().fault === null },
    replicas: () => listReplicas(db),
    databasePool: () => pool,
    chainCircuit: nodes.standing,
    chainNodes: nodes.states,
    chainAnswerAge: nodes.answerAgeMs,
  });
}
