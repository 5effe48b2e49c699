import type { PublicClient } from "viem";
import { settledTime } from "./chain/settled-time.ts";
import { createAgentRegistrationStore } from "./db/agent-registrations.ts";
import type { ChainReads } from "./db/chain.ts";
import { createClaimStore, createUnclaimedAgents } from "./db/claims.ts";
import type { Database } from "./db/connect.ts";
import { isNameKept } from "./db/name-locks.ts";
import { networkBlock } from "./http/client-address.ts";
import type { JobName } from "./jobs/catalogue.ts";
import { randomNonce } from "./random.ts";
import type { PendingLimits } from "./services/agent-registration.ts";
import { createAgentRegistration } from "./services/agent-registration.ts";
import type { ClaimDocuments } from "./services/claim-documents.ts";
import { ARCHIVE_DOCUMENT_JOB } from "./services/claim-documents.ts";
import type { ClaimDeps } from "./services/claims.ts";
import { createClaims } from "./services/claims.ts";
import type { JobHandler } from "./services/jobs.ts";
import type { NamePorts } from "./services/names.ts";
import { createNameService } from "./services/names.ts";
import type { RegistrationContext } from "./services/registration-content.ts";
import type { RegistrationEngine } from "./services/registration-engine.ts";
import type { Secrets } from "./services/secrets.ts";
import type { SoulReader } from "./services/soul-tasks.ts";

export interface ClaimPartsOptions {
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: Pick<ChainReads, "waitForBlock">;
  readonly indexerWaitMs: number;
  readonly tokenOfName: NamePorts["tokenOfName"];
  readonly registrationContext: RegistrationContext;
  readonly registrationEngine: RegistrationEngine;
  readonly registrationParts: Pick<ClaimDeps, "resolver" | "binding" | "transactions">;
  readonly claimDocuments: ClaimDocuments;
  readonly souls: SoulReader;
  readonly secrets: Secrets;
  readonly limits: PendingLimits;
  /** Blocks until something counts; 1 means included. */
  readonly confirmations: number;
  readonly clock: () => Date;
}

/** Registration by agents, and its claim by their owners. */
export function buildClaims(options: ClaimPartsOptions) {
  const { db, secrets, souls, clock, registrationContext: context } = options;
  const names = createNameService({
    tokenOfName: options.tokenOfName,
    isNamePending: (name, holder) =>
      isNameKept(db, name, clock(), { holder, registrationId: null }),
  });
  const { unclaimed } = createUnclaimedAgents(db, clock);
  const agentRegistrations = createAgentRegistration({
    ...{ secrets, souls, clock, names, limits: options.limits, links: context.links },
    store: createAgentRegistrationStore(db, clock),
    settledTime: () => settledTime(options.chain, options.confirmations),
  });
  const claims = createClaims({
    ...options.registrationParts,
    ...{ context, secrets, souls, clock, engine: options.registrationEngine },
    store: createClaimStore(db, networkBlock),
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce,
  });
  const claimJobs = {
    "registrations.expire": () => agentRegistrations.expire(),
    [ARCHIVE_DOCUMENT_JOB]: options.claimDocuments.finish,
  } as const satisfies Partial<Record<JobName, JobHandler>>;
  return { names, unclaimed, agentRegistrations, claims, claimJobs };
}
