import type { Platform } from "../../platform/build.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import { createAddressPolicy } from "../../platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../platform/outbound/client.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { PassportFiles } from "../passports/index.ts";
import { createCheckResults, createCheckSchedule, createPassportMetadata } from "./checks.store.ts";
import { createEndpointChecks } from "./checks.ts";
import { ENDPOINT_CHECK_JOBS } from "./job-names.ts";
import { createProbing } from "./probing.ts";

/** For one request of a check: an endpoint that takes longer is of little use. */
const REQUEST_LIMITS = { totalMs: 8_000, connectMs: 4_000, headerBytes: 16 * 1024 } as const;

type Options = Pick<
  Platform,
  "config" | "deployment" | "db" | "pool" | "jobs" | "statements" | "hostBudget" | "clock"
> &
  Pick<SoulReads, "current"> & {
    readonly passportFiles: { readonly files: PassportFiles };
  };

/** Checks of whether agents' endpoints answer. */
export function buildEndpointChecks(options: Options) {
  const { config, deployment, db, clock } = options;
  const http = createOutboundHttp({
    policy: createAddressPolicy(config.outboundAllow, config.outboundLoopbackHttp),
    limits: REQUEST_LIMITS,
    budget: options.hostBudget,
  });
  const endpointChecks = createEndpointChecks({
    agents: options.current,
    schedule: createCheckSchedule(db),
    results: createCheckResults(db),
    metadata: createPassportMetadata(options.pool),
    jobs: options.jobs,
    files: options.passportFiles.files,
    probing: createProbing({ http, now: () => performance.now() }),
    statements: options.statements,
    place: {
      chainId: deployment.chainId,
      identityRegistry: deployment.contracts.identityRegistry,
    },
    clock,
  });
  const endpointCheckJobs = {
    [ENDPOINT_CHECK_JOBS.schedule]: (_data, signal) => endpointChecks.scheduleDue(signal),
    [ENDPOINT_CHECK_JOBS.check]: ({ tokenId }, signal) =>
      endpointChecks.run(BigInt(tokenId ?? 0), signal),
  } as const satisfies Readonly<Record<string, JobHandler>>;
  return { endpointChecks, endpointCheckJobs, closeEndpointChecks: http.close };
}
