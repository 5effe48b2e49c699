import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import type { AppDeps } from "../../api/app.ts";
import { createApp } from "../../api/app.ts";
import type { Identity } from "../../api/kernel/access.ts";
import { ApiError } from "../../api/kernel/errors.ts";
import { createLinks } from "../../api/kernel/links.ts";
import type { Idempotency } from "../../api/platform/idempotency/idempotency.ts";
import type { RateLimiter, RateState } from "../../api/platform/limits/rate-limits.ts";
import type { LogLevel } from "../../api/platform/log/log.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { createMetrics } from "../../api/platform/metrics/metrics.ts";
import type { IndexAge } from "../../api/soul/index-age.ts";

/** A logger that keeps its lines for the test to read. */
export function capturedLog(level: LogLevel = "trace") {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log: createLog(level, destination), lines, entries };
}

/** For tests that are not about repetition: it remembers no key. */
const everyRequestRuns: Idempotency = {
  begin: async () => ({
    kind: "run",
    operationId: randomUUID(),
    lease: { finish: async () => {}, forget: async () => {}, release: async () => {} },
  }),
};

const ANONYMOUS: Identity = { caller: { kind: "anonymous" }, account: null };

/** For tests that are not about limits. */
const free: RateState = { limit: 1000, remaining: 999, resetAt: new Date(0), retryAfter: null };
const unlimited: RateLimiter = {
  take: async () => free,
  takeForWallet: async () => free,
  takeOfDay: async () => free,
  peek: async () => free,
};

/** For tests that are not about a stale index. */
const freshIndex: IndexAge = {
  isFresh: () => true,
  behind: () => new ApiError("INDEX_BEHIND"),
  standing: () => ({
    chainBlock: 1n,
    indexedBlock: 1n,
    lagBlocks: 0,
    behind: false,
    isComplete: true,
  }),
  headFor: async () => null,
};

/** A dependency that a test did not provide. Using it fails the test with its name. */
function unwired<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get(_target, property) {
      throw new Error(`This test uses ${name}.${String(property)} without providing ${name}.`);
    },
  });
}

/**
 * Dependencies of an app in which everything is ready. A test replaces the part that it is about.
 */
export function testDeps(overrides: Partial<AppDeps> = {}): AppDeps {
  return {
    log: createLog("silent"),
    clock: () => new Date(),
    publicUrl: new URL("http://127.0.0.1:8787"),
    access: { authenticate: async () => ANONYMOUS, authorise: async () => {} },
    rates: unlimited,
    kept: { answer: (_c, build) => build() },
    trustedProxies: [],
    age: freshIndex,
    readiness: { check: async () => ({ postgres: { ready: true } }) },
    metrics: createMetrics(),
    tracing: null,
    metricsToken: undefined,
    idempotency: everyRequestRuns,
    reads: { within: (_after, work) => work(), position: async () => null },
    signIn: unwired("signIn"),
    introspection: unwired("introspection"),
    revocation: unwired("revocation"),
    apiKeys: unwired("apiKeys"),
    registrationStatus: unwired("registrationStatus"),
    index: unwired("index"),
    indexerWaitMs: 1_000,
    archive: unwired("archive"),
    keyRotation: unwired("keyRotation"),
    keyExchange: unwired("keyExchange"),
    agentKeys: unwired("agentKeys"),
    consoleReads: unwired("consoleReads"),
    names: unwired("names"),
    disclosurePlace: { soulView: "0x5FbDB2315678afecb367f032d93F642f64180aa3" },
    tools: unwired("tools"),
    profiles: unwired("profiles"),
    endpointChecks: unwired("endpointChecks"),
    registration: unwired("registration"),
    agentRegistrations: unwired("agentRegistrations"),
    claims: unwired("claims"),
    registrationContext: {
      chainId: 31337,
      soulRegistry: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
      identityRegistry: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
      worldIdVerifier: null,
      links: createLinks("http://127.0.0.1:8787"),
    },
    registrationFiles: unwired("registrationFiles"),
    status: unwired("status"),
    overview: unwired("overview"),
    eventLists: unwired("eventLists"),
    eventFollower: unwired("eventFollower"),
    eventStreams: unwired("eventStreams"),
    streamMs: 1_000,
    timelines: unwired("timelines"),
    webhooks: unwired("webhooks"),
    mailConfirmations: unwired("mailConfirmations"),
    links: createLinks("http://127.0.0.1:8787"),
    chronicles: unwired("chronicles"),
    chronicleRequests: unwired("chronicleRequests"),
    passportUpdates: unwired("passportUpdates"),
    passportFiles: unwired("passportFiles"),
    chronicleProofs: unwired("chronicleProofs"),
    reincarnations: unwired("reincarnations"),
    bindings: unwired("bindings"),
    bindingLists: unwired("bindingLists"),
    alignments: unwired("alignments"),
    freshness: unwired("freshness"),
    snapshotOpening: unwired("snapshotOpening"),
    disclosure: unwired("disclosure"),
    verification: unwired("verification"),
    guides: unwired("guides"),
    docsSearch: unwired("docsSearch"),
    pages: unwired("pages"),
    statistics: unwired("statistics"),
    raster: unwired("raster"),
    sitemapReads: unwired("sitemapReads"),
    registrationFileAt: unwired("registrationFileAt"),
    dealingsOf: unwired("dealingsOf"),
    soulDocuments: unwired("soulDocuments"),
    publicIdentities: unwired("publicIdentities"),
    displays: unwired("displays"),
    validations: unwired("validations"),
    decisions: unwired("decisions"),
    operations: unwired("operations"),
    typedDataOf: unwired("typedDataOf"),
    agentList: unwired("agentList"),
    resemblances: unwired("resemblances"),
    unclaimed: unwired("unclaimed"),
    records: unwired("records"),
    certificatePictures: unwired("certificatePictures"),
    organizations: unwired("organizations"),
    organizationOperations: {
      engine: unwired("organizationOperations.engine"),
      definitions: unwired("organizationOperations.definitions"),
      invitations: unwired("organizationOperations.invitations"),
    },
    batches: unwired("batches"),
    domains: unwired("domains"),
    deployment: unwired("deployment"),
    souls: unwired("souls"),
    current: unwired("current"),
    endedReads: unwired("endedReads"),
    suspensionOf: unwired("suspensionOf"),
    genesisSoulHash: unwired("genesisSoulHash"),
    dids: unwired("dids"),
    keySets: unwired("keySets"),
    allowances: unwired("allowances"),
    allowanceChanges: unwired("allowanceChanges"),
    ownerSessions: unwired("ownerSessions"),
    auditUploads: unwired("auditUploads"),
    emergencyStops: unwired("emergencyStops"),
    ...overrides,
  };
}

/** The whole app on `testDeps`. */
export function testApp(overrides: Partial<AppDeps> = {}) {
  return createApp(testDeps(overrides));
}
