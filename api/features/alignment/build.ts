import type { Platform } from "../../platform/build.ts";
import { createLease } from "../../platform/database/lease.ts";
import { isStatementLimit } from "../../platform/database/unavailable.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import { createArchiveInspection } from "../../platform/storage/inspect.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { UnclaimedReads } from "../../soul/index-reads.ts";
import type { EventSink } from "../webhooks/index.ts";
import { createAlignmentService } from "./alignment.ts";
import { createFactSource } from "./facts/facts.store.ts";
import { createPassportFileAt } from "./facts/passport-file.ts";
import { createFreshnessService } from "./freshness.ts";
import { createScoreHistory } from "./history.store.ts";
import { ALIGNMENT_JOBS } from "./job-names.ts";
import { createOpeningStore } from "./snapshots/opening.store.ts";
import { createSnapshotOpening } from "./snapshots/opening.ts";
import { createSnapshotProgress } from "./snapshots/progress.store.ts";
import { blockOf, createRecordingChain } from "./snapshots/recording.chain.ts";
import { createScoring } from "./snapshots/scoring.ts";
import { scheduleJob, snapshotsJob } from "./snapshots/snapshots.jobs.ts";
import { createSnapshotStore } from "./snapshots/snapshots.store.ts";
import { createSnapshots } from "./snapshots/snapshots.ts";

type Options = Pick<
  Platform,
  | "deployment"
  | "db"
  | "pool"
  | "reads"
  | "chain"
  | "relayer"
  | "registrar"
  | "archive"
  | "links"
  | "jobs"
  | "confirmations"
  | "clock"
  | "log"
> &
  Pick<SoulReads, "index" | "current" | "souls"> &
  UnclaimedReads & { readonly events: EventSink };

/** Alignment scores: computed, recorded, and read. */
export function buildAlignment(options: Options) {
  const { deployment, db, pool, chain: client, archive, jobs, events, clock } = options;
  const { chainId, contracts } = deployment;
  const scoring = createScoring({
    facts: createFactSource({
      db,
      place: { chainId, identityRegistry: contracts.identityRegistry },
      fileAt: createPassportFileAt({
        inspect: createArchiveInspection(archive),
        storageUrl: options.links.storage(""),
      }),
    }),
    chainId,
    contracts,
    issuer: archive.signer,
    clock,
    block: (number) => blockOf(client, number),
  });
  const snapshotOpening = createSnapshotOpening({
    store: createOpeningStore({ db, jobs, clock }),
    souls: options.souls,
    agents: options.index,
    clock,
  });
  const snapshots = createSnapshots({
    store: createSnapshotStore({ db, jobs, events, clock }),
    scoring,
    chain: createRecordingChain({
      client,
      contracts,
      recorder: options.registrar,
      confirmations: options.confirmations,
    }),
    relayer: options.relayer,
    archive,
    isTooSlow: isStatementLimit,
    lease: createLease(pool),
  });
  return {
    snapshotOpening,
    alignments: createAlignmentService({
      reads: options.current,
      unclaimed: options.unclaimed,
      history: createScoreHistory(options.reads.pool),
      storage: archive,
      scoring,
      progress: createSnapshotProgress(db),
      report: (err) => options.log.error({ err }, "an alignment snapshot cannot be read"),
    }),
    freshness: createFreshnessService({
      reads: options.current,
      unclaimed: options.unclaimed,
      inTransaction: (work) => db.transaction(work),
      events,
      clock,
    }),
    alignmentJobs: {
      [ALIGNMENT_JOBS.schedule]: scheduleJob(snapshotOpening),
      [ALIGNMENT_JOBS.snapshots]: snapshotsJob(snapshots),
    } as const satisfies Readonly<Record<string, JobHandler>>,
  };
}
