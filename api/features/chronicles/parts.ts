import type { Address, PublicClient } from "viem";
import type { Links } from "../../kernel/links.ts";
import { randomNonce } from "../../kernel/random.ts";
import { buildOperationEngine } from "../../operations/build.ts";
import { createOwnerSignatures } from "../../platform/chain/signatures.ts";
import type { Lease, Relayer } from "../../platform/chain/transactions.ts";
import type { Deployment } from "../../platform/config/deployment.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Sponsorship } from "../../platform/sponsorship/sponsorship.ts";
import { createArchiveInspection } from "../../platform/storage/inspect.ts";
import type { PermanentStorage } from "../../platform/storage/permanent.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import { createUnclaimedAgents } from "../claims/claims.store.ts";
import { buildPassportFiles } from "../passports/parts.ts";
import { createPassportUpdates } from "../passports/updates.ts";
import { createVerificationChain } from "../verification/verification.chain.ts";
import { createVerificationService, type VerificationDeps } from "../verification/verification.ts";
import type { EventSink } from "../webhooks/events.ts";
import { createChronicleAnchor } from "./anchor.chain.ts";
import { createBatchStore } from "./batches.store.ts";
import { createChronicleBatches } from "./batches.ts";
import { createChronicleStore } from "./chronicles.store.ts";
import { createChronicleService } from "./chronicles.ts";
import { createDailyLimits } from "./daily-limit.ts";
import { createEvolutionChain } from "./evolutions.chain.ts";
import { signedChronicleOperations } from "./evolutions.ts";
import { createChronicleRequestStore } from "./requests.store.ts";
import { createChronicleRequestService } from "./requests.ts";

/** What the specification allows an agent to record on one day. */
const DAILY_LIMIT = 5;
/** Longest wait for the node in one check of a verification. */
const CHECK_TIMEOUT_MS = 5_000;

export interface ChroniclePartsOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: IndexProgress;
  /** Ownership never older than the maximum age of the index. */
  readonly current: VerificationDeps["reads"];
  readonly indexerWaitMs: number;
  readonly relayer: Relayer;
  /** The account that the relayer signs with. */
  readonly registrar: Address;
  readonly lease: Lease;
  readonly archive: PermanentStorage;
  readonly links: Links;
  /** For registration files on other servers. */
  readonly outbound: OutboundHttp;
  readonly secrets: Secrets;
  readonly jobs: JobQueue<Executor>;
  readonly events: EventSink<Executor>;
  readonly clock: () => Date;
  /** Blocks until a batch counts as confirmed; 1 means included. */
  readonly confirmations: number;
  readonly sponsorship: Sponsorship<Executor>;
}

export type ChronicleParts = ReturnType<typeof buildChronicles>;

/** Everything about chronicles and verification, for the server and for the process that runs the jobs. */
export function buildChronicles(options: ChroniclePartsOptions) {
  const { deployment, db, chain: client, archive, clock, secrets, relayer } = options;
  const { soulRegistry, chronicleAnchor } = deployment.contracts;
  const startBlock = BigInt(deployment.startBlock);
  const chroniclePlace = { chainId: deployment.chainId, soulRegistry, chronicleAnchor };
  const kept = { db, jobs: options.jobs, events: options.events, clock };
  const chain = createEvolutionChain({ client, soulRegistry });
  const { operations, souls } = buildOperationEngine(options);
  const store = createChronicleStore(kept);
  const limits = createDailyLimits({ store, clock, max: DAILY_LIMIT });
  const signed = signedChronicleOperations<Executor>({
    place: chroniclePlace,
    chain,
    ids: archive,
    store,
    secrets,
    limits,
    clock,
  });
  const chronicles = createChronicleService<Executor>({
    place: chroniclePlace,
    chain,
    archive,
    clock,
    store,
    operations,
    signed,
    limits,
    signatures: createOwnerSignatures(client),
  });
  const chronicleRequests = createChronicleRequestService({
    place: chroniclePlace,
    chain,
    secrets,
    clock,
    randomNonce,
    store: createChronicleRequestStore(db),
  });
  const batches = createChronicleBatches({
    place: chroniclePlace,
    relayer,
    archive,
    lease: options.lease,
    store: createBatchStore(kept),
    chain: createChronicleAnchor({
      client,
      address: chronicleAnchor,
      startBlock,
      confirmations: options.confirmations,
    }),
  });
  const passportFiles = buildPassportFiles(options);
  const passportUpdates = createPassportUpdates({
    ...passportFiles,
    archive,
    souls,
  });
  const verification = createVerificationService({
    reads: options.current,
    unclaimed: createUnclaimedAgents(db, clock).unclaimed,
    chain: createVerificationChain({
      client,
      soulRegistry,
      passportWriter: deployment.contracts.passportWriter,
      identityRegistry: deployment.contracts.identityRegistry,
      timeoutMs: CHECK_TIMEOUT_MS,
    }),
    inspect: createArchiveInspection(archive),
    context: passportFiles.context,
  });
  return {
    chroniclePlace,
    chronicles,
    chronicleRequests,
    passportUpdates,
    batches,
    verification,
    operations,
    chronicleDefinitions: [signed.change],
  };
}
