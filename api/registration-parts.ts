import type { Address, PublicClient } from "viem";
import { createBindablePassports } from "./chain/bindable-passports.ts";
import { createPassportTransactions } from "./chain/passport-transactions.ts";
import { createOwnerSignatures } from "./chain/signatures.ts";
import { createSoulRegistry } from "./chain/soul-registry.ts";
import type { ChainReads } from "./db/chain.ts";
import { claimFollowUp, createStagedDocuments } from "./db/claims.ts";
import type { Database, Executor } from "./db/connect.ts";
import { createUploadStore } from "./db/document-uploads.ts";
import { hasSealedAgent } from "./db/known-owners.ts";
import { createRegistrationStore } from "./db/registrations.ts";
import { createWebhookStore } from "./db/webhooks.ts";
import type { Deployment } from "./deployment.ts";
import { randomNonce } from "./random.ts";
import { createClaimDocuments } from "./services/claim-documents.ts";
import { createDocumentUploads, type DocumentUploads } from "./services/document-uploads.ts";
import type { JobQueue } from "./services/jobs.ts";
import type { Links } from "./services/links.ts";
import type { OutboundHttp } from "./services/outbound.ts";
import { createPassportBinding } from "./services/passport-binding.ts";
import { createPassportFiles } from "./services/passport-files.ts";
import { createRegistrationService } from "./services/registration.ts";
import { avatarContent, jsonContent } from "./services/registration-content.ts";
import { createRegistrationEngine, operationOf } from "./services/registration-engine.ts";
import type { FollowUps } from "./services/registration-ports.ts";
import { createRegistrationResolver } from "./services/registration-resolver.ts";
import type { Secrets } from "./services/secrets.ts";
import type { Sponsorship } from "./services/sponsorship.ts";
import type { Relayer } from "./services/transactions.ts";
import { createEventSink } from "./services/webhook-events.ts";
import { createWebhookEpochs } from "./services/webhooks.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

/** Longest wait for the node's answers about one passport, and for its registration file. */
const PASSPORT_READ_TIMEOUT_MS = 5_000;
const PASSPORT_FILE_TIMEOUT_MS = 5_000;

export interface RegistrationPartsOptions {
  readonly deployment: Deployment;
  readonly db: Database;
  readonly chain: PublicClient;
  readonly index: Pick<ChainReads, "waitForBlock">;
  readonly indexerWaitMs: number;
  readonly relayer: Relayer;
  /** The account that the relayer signs with. */
  readonly registrar: Address;
  readonly archive: PermanentStorage;
  readonly secrets: Secrets;
  readonly links: Links;
  readonly jobs: JobQueue<Executor>;
  /** For registration files on somebody's server. */
  readonly outbound: OutboundHttp;
  readonly sponsorship: Sponsorship<Executor>;
  readonly clock: () => Date;
}

/** Everything about registrations, for the server and for the process that finishes what others began. */
export function buildRegistration(options: RegistrationPartsOptions) {
  const { deployment, db, chain: client, relayer, archive, secrets, clock } = options;
  const {
    soulRegistry: address,
    passportWriter,
    identityRegistry,
    worldIdVerifier,
  } = deployment.contracts;
  const registrationContext = {
    chainId: deployment.chainId,
    soulRegistry: address,
    ...{ identityRegistry, worldIdVerifier, links: options.links },
  };
  const soulRegistry = createSoulRegistry({
    client,
    address,
    passportWriter,
    identityRegistry,
    registrar: options.registrar,
  });
  const links = options.links;
  const uploads = createDocumentUploads({
    ...{ store: createUploadStore(db), secrets, links, clock },
  });
  const transactions = createPassportTransactions({
    chainId: deployment.chainId,
    identityRegistry,
    passportWriter,
  });
  const binding = createPassportBinding({
    passports: createBindablePassports({
      client,
      identityRegistry,
      soulRegistry: address,
      passportWriter,
      timeoutMs: PASSPORT_READ_TIMEOUT_MS,
    }),
    files: createPassportFiles({
      ...{ stored: archive.read, http: options.outbound, timeoutMs: PASSPORT_FILE_TIMEOUT_MS },
    }),
    transactions,
  });
  const resolver = createRegistrationResolver({
    binding,
    avatarUri: async (agent) => `ar://${await archive.idOf(avatarContent(agent))}`,
    fileUri: async (json) => `ar://${await archive.idOf(jsonContent(json))}`,
    context: registrationContext,
  });
  const registrations = createRegistrationStore({
    ...{ db, clock, followUps: followUpsOf(options, uploads) },
    sponsorship: options.sponsorship,
  });
  const claimDocuments = createClaimDocuments({
    ...{ documents: createStagedDocuments(db), archive },
  });
  const registrationEngine = createRegistrationEngine({
    ...{ context: registrationContext, soulRegistry, relayer, archive, secrets },
    archiveStaged: claimDocuments.storeStaged,
    signatures: createOwnerSignatures(client),
    store: registrations,
    hasSealedAgent: (owner) => hasSealedAgent(db, owner),
  });
  const registration = createRegistrationService({
    ...{ context: registrationContext, engine: registrationEngine, clock },
    ...{ resolver, binding, transactions, uploads },
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce,
  });
  return {
    ...{ registrationContext, soulRegistry, registrations, registrationEngine, registration },
    registrationParts: { resolver, binding, transactions },
    claimDocuments,
  };
}

/** What becomes true with a registration, by who began it. */
function followUpsOf(
  { db, jobs, archive, clock }: RegistrationPartsOptions,
  uploads: DocumentUploads<Executor>,
): FollowUps<Executor> {
  const store = createWebhookStore(db);
  return {
    owner: withDocuments(uploads),
    claim: claimFollowUp({
      ...{ jobs, archive, uploads, clock },
      events: createEventSink({ store, queue: jobs, clock }),
      webhooks: createWebhookEpochs(store, clock),
    }),
  };
}

/** The documents that an owner declared may be uploaded from the moment that the soul is there. */
function withDocuments(uploads: DocumentUploads<Executor>): FollowUps<Executor>["owner"] {
  return {
    accepted: async () => {},
    async completed(tx, pending, { tokenId, epoch }) {
      const documents = pending.request.soulDocuments ?? [];
      if (documents.length === 0) return;
      await uploads.issue(tx, { tokenId, epoch, operationId: operationOf(pending), documents });
    },
    refused: async () => {},
  };
}
