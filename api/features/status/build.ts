import { shareAnswer } from "../../kernel/shared-answer.ts";
import type { RunningPlatform } from "../../platform/build.ts";
import { API_VERSION } from "../../platform/http/openapi.ts";
import { queueAges } from "../../platform/jobs/report.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createOverview } from "./overview.ts";
import { createReadiness } from "./readiness.ts";
import { readinessChecks } from "./readiness-checks.ts";
import { countStatistics, lastBatch } from "./status.store.ts";
import { createStatusService } from "./status.ts";

const READINESS_TIMEOUT_MS = 2_000;
/** How old the home page's figures may be. */
const STATISTICS_KEPT_MS = 15_000;
/** How old what the status page shows may be. */
const OVERVIEW_KEPT_MS = 2_000;

/** What the service says about itself. */
export function buildStatus(options: RunningPlatform & SoulReads) {
  const { deployment, db, chain, archive, clock, laneWatch, jobs, index, age } = options;
  const { chainId, contracts, startBlock } = deployment;
  const readiness = createReadiness(
    readinessChecks({ db, chain, chainId, age }),
    READINESS_TIMEOUT_MS,
  );
  const status = createStatusService(
    {
      version: API_VERSION,
      chainId,
      contracts,
      startBlock: BigInt(startBlock),
      storage: { driver: archive.driver, signer: archive.signer },
    },
    index.indexedBlock,
    age,
  );
  return {
    readiness,
    status,
    overview: createOverview({
      status,
      readiness,
      lastBatch: () => lastBatch(db),
      relayers: laneWatch.standings,
      jobAges: () => queueAges(db, new Date(jobs.clock.now())),
      clock,
      keptMs: OVERVIEW_KEPT_MS,
    }),
    // Counting reads whole tables, and the numbers are only informative: one result serves everyone.
    statistics: {
      now: shareAnswer({ make: () => countStatistics(db), clock, keptMs: STATISTICS_KEPT_MS }),
    },
  };
}

export type StatisticsService = ReturnType<typeof buildStatus>["statistics"];
