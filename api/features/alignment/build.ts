import type { Platform } from "../../platform/build.ts";
import { createLease } from "../../platform/database/lease.ts";
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
import { createOpeningStore, createSnapshotOpening } from "./snapshots/opening.store.ts";
import { blockOf, createRecordingChain } from "./snapshots/recording.chain.ts";
import { createScoring } from "./snapshots/scoring.store.ts";
import { runSnapshots } from "./snapshots/snapshots.jobs.ts";
import * as store from "./snapshots/snapshots.store.ts";

/** Alignment scores: computed, recorded, and read. */
export function buildAlignment(
  options: Platform & SoulReads & UnclaimedReads & { readonly events: EventSink },
) {
  const { deployment, db, jobs, chain: client, archive, current: reads, clock, log } = options;
  const { chainId, contracts } = deployment;
  const scoring = createScoring({
    facts: createFactSource({
      db,
      place: { chainId, identityRegistry: contracts.identityRegistry },
      fileAt: createPassportFileAt(createArchiveInspection(archive), options.links.storage("")),
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
  const work = {
    ...options,
    store,
    scoring,
    chain: createRecordingChain(client, contracts, options.registrar, options.confirmations),
    lease: createLease(options.pool),
  };
  return {
    snapshotOpening,
    alignments: {
      ...createAlignmentService({
        reads,
        unclaimed: options.unclaimed,
        history: createScoreHistory(options.reads.pool),
        storage: archive,
        current: scoring.current,
        report: (err) => log.error({ err }, "an alignment snapshot cannot be read"),
      }),
      progress: (tokenId: bigint) => store.snapshotProgress(db, tokenId),
    },
    freshness: createFreshnessService({
      reads,
      unclaimed: options.unclaimed,
      inTransaction: (change) => db.transaction(change),
      events: options.events,
      clock,
    }),
    alignmentJobs: {
      [ALIGNMENT_JOBS.schedule]: (_data, signal) => snapshotOpening.schedule(signal),
      [ALIGNMENT_JOBS.snapshots]: (_data, signal) => runSnapshots(work, signal),
    } as const satisfies Readonly<Record<string, JobHandler>>,
  };
}

/** Without its jobs: what is read and asked for. */
export type Alignment = Omit<ReturnType<typeof buildAlignment>, "alignmentJobs">;
