import { createOwnerCalls } from "../../operations/operations.chain.ts";
import type { Platform } from "../../platform/build.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { EventSink } from "../webhooks/index.ts";
import { createEndedSouls } from "./clear-ended-status.ts";
import { differenceStore } from "./index-comparison.store.ts";
import { createPassportWatch } from "./passport-watch.ts";
import { createPassports } from "./passports.chain.ts";
import { createSuspender } from "./suspension.ts";
import { createSuspensionCandidates } from "./suspension-candidates.store.ts";
import { suspensionStore } from "./suspensions.store.ts";

type Options = Pick<
  Platform,
  | "deployment"
  | "db"
  | "pool"
  | "chain"
  | "relayer"
  | "registrar"
  | "jobs"
  | "clock"
  | "confirmations"
> &
  Pick<SoulReads, "index"> & { readonly events: EventSink };

/** The jobs that notice when a passport moves or a soul ends, and that record it on chain. */
export function buildLife(options: Options) {
  const { deployment, db, relayer, jobs, clock, index, events, confirmations } = options;
  const { contracts } = deployment;
  const records = suspensionStore(db);
  const candidates = createSuspensionCandidates(options.pool);
  const registry = createPassports({
    ...contracts,
    client: options.chain,
    relayer: options.registrar,
  });
  const watch = createPassportWatch({
    index: { ...candidates, indexedBlock: index.indexedBlock },
    jobs,
    clock,
    chainId: deployment.chainId,
    chain: registry,
    store: records,
    differences: differenceStore(db),
    events,
    confirmations,
  });
  const clearEnded = createEndedSouls({ index: candidates, registry, relayer, clock });
  const lifeJobs = {
    "passports.watch": (_data, signal) => watch.followTraces(signal),
    "index.compare": async (_data, signal) => {
      await watch.compare(signal);
      await clearEnded(signal);
    },
    "passport.suspend": createSuspender({ registry, relayer, records, clock }),
  } as const satisfies Readonly<Record<string, JobHandler>>;
  const { seal: sealCall, suspendBySealer: suspendBySealerCall } = createOwnerCalls(
    contracts.soulRegistry,
  );
  return { lifeJobs, sealCall, suspendBySealerCall };
}
