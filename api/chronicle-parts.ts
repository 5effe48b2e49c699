import type { Address, PublicClient } from "viem";
import { createChronicleAnchor } from "./chain/chronicle-anchor.ts";
import { createEvolutionChain } from "./chain/evolutions.ts";
import { createOperationChain } from "./chain/owner-operations.ts";
import { createOwnerSignatures } from "./chain/signatures.ts";
import { createVerificationChain } from "./chain/verification.ts";
import { createBatchStore } from "./db/chronicle-batches.ts";
import { createChronicleRequestStore } from "./db/chronicle-requests.ts";
import { createChronicleStore } from "./db/chronicles.ts";
import { createUnclaimedAgents } from "./db/claims.ts";
import type { Database, Executor } from "./db/connect.ts";
import type { Deployment } from "./deployment.ts";
import { buildPassportFiles } from "./passport-file-parts.ts";
import { randomNonce } from "./random.ts";
import { createChronicleBatches } from "./services/chronicle-batches.ts";
import { createChronicleRequestService } from "./services/chronicle-requests.ts";
import { createChronicleService } from "./services/chronicles.ts";
import type { EventSink } from "./services/events.ts";
import type { IndexProgress } from "./services/index-reads.ts";
import type { JobQueue } from "./services/jobs.ts";
import type { Links } from "./services/links.ts";
import type { OutboundHttp } from "./services/outbound.ts";
import { createPassportUpdates } from "./services/passport-updates.ts";
import type { Secrets } from "./services/secrets.ts";
import type { Sponsorship } from "./services/sponsorship.ts";
import type { Lease, Relayer } from "./services/transactions.ts";
import { createVerificationService, type VerificationDeps } from "./services/verification.ts";
import { createArchiveInspection } from "./storage/inspect.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

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
  const chain = createEvolutionChain({
    ...{ client, soulRegistry, startBlock },
    registrar: options.registrar,
  });

  const chronicles = createChronicleService({
    ...{ place: chroniclePlace, chain, relayer, archive, secrets, clock, randomNonce },
    signatures: createOwnerSignatures(client),
    store: createChronicleStore({ ...kept, sponsorship: options.sponsorship }),
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    dailyLimit: DAILY_LIMIT,
  });
  const chronicleRequests = createChronicleRequestService({
    ...{ place: chroniclePlace, chain, secrets, clock, randomNonce },
    store: createChronicleRequestStore(db),
  });
  const batches = createChronicleBatches({
    ...{ place: chroniclePlace, relayer, archive, lease: options.lease },
    store: createBatchStore(kept),
    chain: createChronicleAnchor({
      ...{ client, address: chronicleAnchor, startBlock },
      confirmations: options.confirmations,
    }),
  });
  const passportFiles = buildPassportFiles(options);
  const passportUpdates = createPassportUpdates({
    ...{ ...passportFiles, archive },
    souls: createOperationChain({
      ...{ client, soulRegistry, startBlock },
      passportWriter: deployment.contracts.passportWriter,
      registrar: options.registrar,
    }),
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
  return { chroniclePlace, chronicles, chronicleRequests, passportUpdates, batches, verification };
}
