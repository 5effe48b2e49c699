import { randomNonce } from "../../kernel/random.ts";
import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import { createOwnerSignatures } from "../../platform/chain/signatures.ts";
import { createLease } from "../../platform/database/lease.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { PassportUpdateService } from "../passports/index.ts";
import type { BatchEventSink } from "../webhooks/index.ts";
import { createChronicleAnchor } from "./batches/anchor.chain.ts";
import { chronicleBatchJob, chronicleFollowJob } from "./batches/batches.jobs.ts";
import { createBatchStore } from "./batches/batches.store.ts";
import { createChronicleBatches } from "./batches/batches.ts";
import { createChronicleProofs } from "./batches/proofs.http.ts";
import { createChronicleStore } from "./chronicles.store.ts";
import { createChronicleService } from "./chronicles.ts";
import { createDerivedChronicleStore } from "./derived.store.ts";
import { createDerivedChronicles, DERIVE_JOB } from "./derived.ts";
import { signedChronicleOperations } from "./evolutions.ts";
import { CHRONICLE_JOBS } from "./job-names.ts";
import { createChronicleRequestStore } from "./requests.store.ts";
import { createChronicleRequestService } from "./requests.ts";

export type ChronicleOptions = Pick<
  Platform,
  | "deployment"
  | "db"
  | "pool"
  | "chain"
  | "relayer"
  | "archive"
  | "secrets"
  | "jobs"
  | "confirmations"
  | "clock"
> &
  Pick<BuiltEngine, "operations" | "signingDomains"> &
  Pick<SoulReads, "souls"> & {
    readonly events: BatchEventSink;
    readonly passportUpdates: PassportUpdateService;
  };

export type ChronicleParts = ReturnType<typeof buildChronicles>;

/** Chronicles, for the server and for the process that runs the jobs. */
export function buildChronicles(options: ChronicleOptions) {
  const {
    deployment,
    db,
    chain: client,
    archive,
    clock,
    secrets,
    relayer,
    operations,
    souls,
  } = options;
  const { soulRegistry, chronicleAnchor } = deployment.contracts;
  const { revisedFile } = options.passportUpdates;
  const startBlock = BigInt(deployment.startBlock);
  const chronicleDeployment = { chainId: deployment.chainId, soulRegistry, chronicleAnchor };
  const storeOptions = { db, jobs: options.jobs, events: options.events, clock };
  const store = createChronicleStore(storeOptions);
  const signed = signedChronicleOperations({
    deployment: chronicleDeployment,
    souls,
    revisedFile,
    ids: archive,
    store,
    secrets,
    clock,
  });
  const chronicles = createChronicleService({
    deployment: chronicleDeployment,
    souls,
    archive,
    clock,
    store,
    operations,
    signed,
    digestOf: (message) =>
      options.signingDomains.digest("SoulRegistry", "RecordEvolution", message),
    signatures: createOwnerSignatures(client),
  });
  const chronicleRequests = createChronicleRequestService({
    deployment: chronicleDeployment,
    revisedFile,
    souls,
    secrets,
    clock,
    randomNonce,
    store: createChronicleRequestStore(db),
  });
  const batches = createChronicleBatches({
    deployment: chronicleDeployment,
    relayer,
    archive,
    lease: createLease(options.pool),
    store: createBatchStore(storeOptions),
    chain: createChronicleAnchor({
      client,
      address: chronicleAnchor,
      startBlock,
      confirmations: options.confirmations,
    }),
  });
  const derivedStore = createDerivedChronicleStore({ db, jobs: options.jobs, clock });
  const derivedChronicles = createDerivedChronicles({ store: derivedStore, chronicles });
  return {
    chronicleDeployment,
    chronicles,
    chronicleProofs: createChronicleProofs(chronicles, chronicleDeployment),
    chronicleRequests,
    batches,
    derivedStore,
    derivedChronicles,
    chronicleDefinitions: [signed.change],
    chronicleJobs: {
      [CHRONICLE_JOBS.batch]: chronicleBatchJob(batches),
      [CHRONICLE_JOBS.follow]: chronicleFollowJob(batches),
      [DERIVE_JOB]: derivedChronicles.job,
    } as const satisfies Readonly<Record<string, JobHandler>>,
  };
}
