import type { Address, PublicClient } from "viem";
import type { Links } from "../../kernel/links.ts";
import { randomNonce } from "../../kernel/random.ts";
import { createOwnerSignatures } from "../../platform/chain/signatures.ts";
import type { Relayer } from "../../platform/chain/transactions.ts";
import type { Deployment } from "../../platform/config/deployment.ts";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import { hasSealedAgent } from "../../platform/sponsorship/known-owners.store.ts";
import type { Sponsorship } from "../../platform/sponsorship/sponsorship.ts";
import type { PermanentStorage } from "../../platform/storage/permanent.ts";
import type { ChainReads } from "../../soul/indexed.store.ts";
import { claimFollowUp, createStagedDocuments } from "../claims/claims.store.ts";
import { createClaimDocuments } from "../claims/documents.ts";
import { createUploadStore } from "../documents/uploads.store.ts";
import { createDocumentUploads, type DocumentUploads } from "../documents/uploads.ts";
import { createPassportFiles } from "../passports/pointed-files.ts";
import { createPassportTransactions } from "../passports/transactions.chain.ts";
import { createEventSink } from "../webhooks/event-sink.ts";
import { createWebhookStore } from "../webhooks/webhooks.store.ts";
import { createWebhookEpochs } from "../webhooks/webhooks.ts";
import { avatarContent, jsonContent } from "./content.ts";
import { createRegistrationEngine, operationOf } from "./engine.ts";
import { createBindablePassports } from "./passport-binding.chain.ts";
import { createPassportBinding } from "./passport-binding.ts";
import type { FollowUps } from "./ports.ts";
import { createRegistrationService } from "./registration.ts";
import { createRegistrationStore } from "./registrations.store.ts";
import { createRegistrationResolver } from "./resolver.ts";
import { createSoulRegistry } from "./soul-registry.chain.ts";

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
  /** For registration files on web servers that owners chose. */
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
    identityRegistry,
    worldIdVerifier,
    links: options.links,
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
    store: createUploadStore(db),
    secrets,
    links,
    clock,
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
      stored: archive.read,
      http: options.outbound,
      timeoutMs: PASSPORT_FILE_TIMEOUT_MS,
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
    db,
    clock,
    followUps: followUpsOf(options, uploads),
    sponsorship: options.sponsorship,
  });
  const claimDocuments = createClaimDocuments({
    documents: createStagedDocuments(db),
    archive,
  });
  const registrationEngine = createRegistrationEngine({
    context: registrationContext,
    soulRegistry,
    relayer,
    archive,
    secrets,
    archiveStaged: claimDocuments.storeStaged,
    signatures: createOwnerSignatures(client),
    store: registrations,
    hasSealedAgent: (owner) => hasSealedAgent(db, owner),
  });
  const registration = createRegistrationService({
    context: registrationContext,
    engine: registrationEngine,
    clock,
    resolver,
    binding,
    transactions,
    uploads,
    index: { waitForBlock: (block) => options.index.waitForBlock(block, options.indexerWaitMs) },
    randomNonce,
  });
  return {
    registrationContext,
    soulRegistry,
    registrations,
    registrationEngine,
    registration,
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
      jobs,
      archive,
      uploads,
      clock,
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
