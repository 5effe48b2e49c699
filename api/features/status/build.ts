import type { Platform } from "../../platform/build.ts";
import { API_VERSION } from "../../platform/http/openapi.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createReadiness } from "./readiness.ts";
import { readinessChecks } from "./readiness-checks.ts";
import { statisticsStore } from "./statistics.store.ts";
import { createStatistics } from "./statistics.ts";
import { createStatusService } from "./status.ts";

const READINESS_TIMEOUT_MS = 2_000;
/** How old the home page's figures may be. */
const STATISTICS_KEPT_MS = 15_000;

type Options = Pick<Platform, "deployment" | "db" | "chain" | "archive" | "clock"> &
  Pick<SoulReads, "index" | "age">;

/** What the service says about itself. */
export function buildStatus({ deployment, db, chain, archive, clock, index, age }: Options) {
  const { chainId, contracts, startBlock } = deployment;
  return {
    readiness: createReadiness(readinessChecks({ db, chain, chainId, age }), READINESS_TIMEOUT_MS),
    statistics: createStatistics({ count: statisticsStore(db), clock, keptMs: STATISTICS_KEPT_MS }),
    status: createStatusService(
      {
        version: API_VERSION,
        chainId,
        contracts,
        startBlock: BigInt(startBlock),
        storage: { driver: archive.driver, signer: archive.signer },
      },
      { indexedBlock: index.indexedBlock, age },
    ),
  };
}
