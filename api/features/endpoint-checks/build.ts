import { agentRegistry } from "../../../protocol/index.ts";
import type { Platform } from "../../platform/build.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import { createAddressPolicy } from "../../platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../platform/outbound/client.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { PassportFiles } from "../passports/index.ts";
import { checkAgent, scheduleDue } from "./checks.jobs.ts";
import { createEndpointChecks } from "./checks.store.ts";
import { ENDPOINT_CHECK_JOBS } from "./checks.ts";
import { createProbing } from "./probing.ts";

/** For one request of a check: an endpoint that takes longer is of little use. */
const REQUEST_LIMITS = { totalMs: 8_000, connectMs: 4_000, headerBytes: 16 * 1024 } as const;

/** Checks of whether agents' endpoints answer. */
export function buildEndpointChecks(
  options: Platform &
    Pick<SoulReads, "current"> & { readonly passportFiles: { readonly files: PassportFiles } },
) {
  const { config, deployment, db, jobs, statements, clock } = options;
  const http = createOutboundHttp({
    policy: createAddressPolicy(config.outboundAllow, config.outboundLoopbackHttp),
    limits: REQUEST_LIMITS,
    budget: options.hostBudget,
  });
  const { chainId, contracts } = deployment;
  const registry = agentRegistry(chainId, contracts.identityRegistry);
  const checking = {
    db,
    jobs,
    agents: options.current,
    files: options.passportFiles.files,
    probing: createProbing(http, () => performance.now()),
    statements,
    registry,
    clock,
  };
  const endpointCheckJobs = {
    [ENDPOINT_CHECK_JOBS.schedule]: (_data, signal) => scheduleDue(db, jobs, clock, signal),
    [ENDPOINT_CHECK_JOBS.check]: ({ tokenId }, signal) =>
      checkAgent(checking, BigInt(tokenId ?? 0), signal),
  } as const satisfies Readonly<Record<string, JobHandler>>;
  const endpointChecks = createEndpointChecks(checking);
  return { endpointChecks, endpointCheckJobs, closeEndpointChecks: http.close };
}

export type EndpointChecks = ReturnType<typeof buildEndpointChecks>["endpointChecks"];
