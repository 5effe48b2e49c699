import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import { settledTime } from "../../platform/chain/settled.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { DocumentUploads } from "../documents/index.ts";
import type { WasStopped } from "../keys/index.ts";
import type { NamePorts } from "../names/index.ts";
import { createNameService, isNameReserved } from "../names/index.ts";
import type { PassportTransactions } from "../passports/index.ts";
import type {
  PassportBinding,
  RegisterOperationDeps,
  RegistrationContext,
  RegistrationResolver,
} from "../registration/index.ts";
import { registerOperation } from "../registration/index.ts";
import type { EventSink, WebhookEpochs } from "../webhooks/index.ts";
import { createAgentRegistration } from "./agent-registration.ts";
import { createAgentRegistrationStore } from "./agent-registrations.store.ts";
import { createOpenClaims } from "./claim/open.ts";
import { claimKind } from "./claim/operation.ts";
import { createDraftSeal } from "./claim/terms.ts";
import { claimFollowUp, createClaimStore, createUnclaimedAgents } from "./claims.store.ts";
import { createClaims } from "./claims.ts";
import { ARCHIVE_DOCUMENT_JOB, createClaimDocuments } from "./documents.ts";
import { createStagedDocuments } from "./staged-documents.store.ts";
import { registrationStatusStore } from "./status.store.ts";
import { createRegistrationStatus } from "./status.ts";

type Options = Pick<
  Platform,
  "config" | "db" | "jobs" | "archive" | "chain" | "secrets" | "confirmations" | "clock"
> &
  Pick<SoulReads, "soulReader"> &
  Pick<BuiltEngine, "operations"> & {
    readonly uploads: DocumentUploads;
    readonly events: EventSink;
    readonly webhookEpochs: WebhookEpochs;
    readonly wasStopped: WasStopped;
    readonly soulRegistry: Pick<NamePorts, "tokenOfName">;
    readonly registrationContext: RegistrationContext;
    /** What claims use of registrations. */
    readonly registrationParts: {
      readonly resolver: RegistrationResolver;
      readonly binding: PassportBinding;
      readonly transactions: PassportTransactions;
      readonly registerDeps: RegisterOperationDeps;
    };
  };

/** Registration by agents, and its claim by their owners. */
export function buildClaims(options: Options) {
  const { db, secrets, soulReader: souls, clock, archive, operations } = options;
  const { registrationContext: context, registrationParts } = options;
  const names = createNameService({
    tokenOfName: options.soulRegistry.tokenOfName,
    isNamePending: (name, holder) =>
      isNameReserved(db, name, clock(), { holder, registrationId: null }),
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
  const documents = createClaimDocuments({ documents: createStagedDocuments(db), archive });
  const store = createClaimStore(db);
  const open = createOpenClaims(store, clock);
  const drafts = createDraftSeal(secrets);
  const { registerDeps } = registrationParts;
  const operation = registerOperation(
    claimKind({
      context,
      binding: registrationParts.binding,
      open,
      drafts,
      documents,
      followUp: claimFollowUp({
        archive,
        uploads: options.uploads,
        jobs: options.jobs,
        events: options.events,
        webhooks: options.webhookEpochs,
        wasStopped: options.wasStopped,
        clock,
      }),
    }),
    registerDeps,
  );
  const claims = createClaims({
    ...registrationParts,
    registrations: registerDeps.store,
    context,
    operations,
    operation,
    open,
    drafts,
    store,
    souls,
    secrets,
    clock,
  });
  const claimJobs = {
    "registrations.expire": () => agentRegistrations.expire(),
    [ARCHIVE_DOCUMENT_JOB]: documents.finish,
  } as const satisfies Readonly<Record<string, JobHandler>>;
  return {
    names,
    unclaimed,
    agentRegistrations,
    claims,
    claimJobs,
    claimDefinitions: [operation],
    registrationStatus: createRegistrationStatus(registrationStatusStore(db, clock)),
  };
}
