import { randomBytes } from "node:crypto";
import type { PublicClient } from "viem";
import { settledTime } from "./chain/settled-time.ts";
import { createAgentRegistrationStore } from "./db/agent-registrations.ts";
import type { ChainReads } from "./db/chain.ts";
import { createClaimStore, createUnclaimedAgents } from "./db/claims.ts";
import type { Database } from "./db/connect.ts";
import { isNameKept } from "./db/name-locks.ts";
import type { JobName } from "./jobs/catalogue.ts";
import type { PendingLimits } from "./services/agent-registration.ts";
import { createAgentRegistration } from "./services/agent-registration.ts";
import { createClaims } from "./services/claims.ts";
import type { JobHandler } from "./services/jobs.ts";
import type { NamePorts } from "./services/names.ts";
import { createNameService } from "./services/names.ts";
import type { RegistrationContext } from "./services/registration-content.ts";
import type { RegistrationEngine } from "./services/registration-engine.ts";
import type { RegistrationResolver } from "./services/registration-resolver.ts";
import type { Secrets } from "./services/secrets.ts";

export interface ClaimPartsOptions {
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: Pick<ChainReads, "waitForBlock">;
  readonly indexerWaitMs: number;
  readonly tokenOfName: NamePorts["tokenOfName"];
  readonly registrationContext: RegistrationContext;
  readonly registrationEngine: RegistrationEngine;
  readonly registrationResolver: RegistrationResolver;
  readonly secrets: Secrets;
  readonly limits: PendingLimits;
  /** Blocks until something counts; 1 means included. */
  readonly confirmations: number;
  readonly clock: () => Date;
}

/** Registration by agents, and its claim by their owners. */
export function buildClaims(options: ClaimPartsOptions) {
  const { db, secrets, clock, registrationContext: context } = options;
  const names = createNameService({
    tokenOfName: options.tokenOfName,
    isNamePending: (name, holder) =>
      isNameKept(db, name, clock(), { holder, registrationId: null }),
  });
  const { unclaimed } = createUnclaimedAgents(db, clock);
  const agentRegistrations = createAgentRegistration({
    ...{ secrets, clock, names, limits: options.limits, links: context.links },
    store: createAgentRegistrationStore(db, clock),
    settledTime: () => settledTime(options.chain, options.confirmations),
  });
  const claims = createClaims({
    ...{ context, secrets, clock, engine: options.registrationEngine },
    resolver: options.registrationResolver,
    store: createClaimStore(db),
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce: () => BigInt(`0x${randomBytes(32).toString("hex")}`),
  });
  const claimJobs = {
    "registrations.expire": () => agentRegistrations.expire(),
  } as const satisfies Partial<Record<JobName, JobHandler>>;
  return { names, unclaimed, agentRegistrations, claims, claimJobs };
}
