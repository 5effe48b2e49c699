import { randomNonce } from "../../kernel/random.ts";
import type { Platform } from "../../platform/build.ts";
import { settledTime } from "../../platform/chain/settled-time.ts";
import type { Executor } from "../../platform/database/connect.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import { networkBlock } from "../../platform/limits/client-address.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { DocumentUploads } from "../documents/index.ts";
import type { NamePorts } from "../names/index.ts";
import { createNameService, isNameKept } from "../names/index.ts";
import type { RegistrationContext, RegistrationEngine } from "../registration/index.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";
import { createAgentRegistration } from "./agent-registration.ts";
import { createAgentRegistrationStore } from "./agent-registrations.store.ts";
import {
  claimFollowUp,
  createClaimStore,
  createStagedDocuments,
  createUnclaimedAgents,
} from "./claims.store.ts";
import type { ClaimDeps } from "./claims.ts";
import { createClaims } from "./claims.ts";
import { ARCHIVE_DOCUMENT_JOB, type ClaimDocuments, createClaimDocuments } from "./documents.ts";
import { registrationStatusStore } from "./status.store.ts";
import { createRegistrationStatus } from "./status.ts";

type FollowUpOptions = Pick<Platform, "db" | "jobs" | "archive" | "clock"> & {
  readonly uploads: DocumentUploads<Executor>;
  readonly events: EventSink<Executor>;
  readonly webhookEpochs: WebhookEpochs<Executor>;
};

/** What registrations do for claims: their effects, and the documents that agents brought along. */
export function buildClaimFollowUp(options: FollowUpOptions) {
  const { db, jobs, archive, clock, uploads, events, webhookEpochs: webhooks } = options;
  const claimDocuments = createClaimDocuments({ documents: createStagedDocuments(db), archive });
  return {
    claimDocuments,
    archiveStaged: claimDocuments.storeStaged,
    claimFollowUp: claimFollowUp({ jobs, archive, uploads, clock, events, webhooks }),
  };
}

type Options = Pick<
  Platform,
  "config" | "db" | "chain" | "indexerWaitMs" | "secrets" | "confirmations" | "clock"
> &
  Pick<SoulReads, "index" | "soulReader"> & {
    readonly soulRegistry: Pick<NamePorts, "tokenOfName">;
    readonly registrationContext: RegistrationContext;
    readonly registrationEngine: RegistrationEngine;
    readonly registrationParts: Pick<ClaimDeps, "resolver" | "binding" | "transactions">;
    readonly claimDocuments: ClaimDocuments;
  };

/** Registration by agents, and its claim by their owners. */
export function buildClaims(options: Options) {
  const { db, secrets, soulReader: souls, clock, registrationContext: context } = options;
  const names = createNameService({
    tokenOfName: options.soulRegistry.tokenOfName,
    isNamePending: (name, holder) =>
      isNameKept(db, name, clock(), { holder, registrationId: null }),
  });
  const { unclaimed } = createUnclaimedAgents(db, clock);
  const agentRegistrations = createAgentRegistration({
    secrets,
    souls,
    clock,
    names,
    limits: options.config.pendingLimits,
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
  return {
    names,
    unclaimed,
    agentRegistrations,
    claims,
    claimJobs,
    registrationStatus: createRegistrationStatus(registrationStatusStore(db, clock)),
  };
}
