import type { PublicClient } from "viem";
import { randomNonce } from "../../kernel/random.ts";
import { settledTime } from "../../platform/chain/settled-time.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import { networkBlock } from "../../platform/limits/client-address.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainReads } from "../../soul/indexed.store.ts";
import type { SoulReader } from "../../soul/text/soul-tasks.ts";
import { isNameKept } from "../names/locks.store.ts";
import type { NamePorts } from "../names/names.ts";
import { createNameService } from "../names/names.ts";
import type { RegistrationContext } from "../registration/content.ts";
import type { RegistrationEngine } from "../registration/engine.ts";
import type { PendingLimits } from "./agent-registration.ts";
import { createAgentRegistration } from "./agent-registration.ts";
import { createAgentRegistrationStore } from "./agent-registrations.store.ts";
import { createClaimStore, createUnclaimedAgents } from "./claims.store.ts";
import type { ClaimDeps } from "./claims.ts";
import { createClaims } from "./claims.ts";
import type { ClaimDocuments } from "./documents.ts";
import { ARCHIVE_DOCUMENT_JOB } from "./documents.ts";

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
  /** Confirmations until a block counts; 1 means included. */
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
    secrets,
    souls,
    clock,
    names,
    limits: options.limits,
    links: context.links,
    store: createAgentRegistrationStore(db, clock),
    settledTime: () => settledTime(options.chain, options.confirmations),
  });
  const claims = createClaims({
    ...options.registrationParts,
    context,
    secrets,
    souls,
    clock,
    engine: options.registrationEngine,
    store: createClaimStore(db, networkBlock),
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce,
  });
  const claimJobs = {
    "registrations.expire": () => agentRegistrations.expire(),
    [ARCHIVE_DOCUMENT_JOB]: options.claimDocuments.finish,
  } as const satisfies Readonly<Record<string, JobHandler>>;
  return { names, unclaimed, agentRegistrations, claims, claimJobs };
}
