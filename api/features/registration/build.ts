import { randomNonce } from "../../kernel/random.ts";
import type { Platform } from "../../platform/build.ts";
import { createOwnerSignatures } from "../../platform/chain/signatures.ts";
import type { Executor } from "../../platform/database/connect.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import { hasSealedAgent } from "../../platform/sponsorship/known-owners.store.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { DocumentUploads } from "../documents/index.ts";
import { createPassportFiles, createPassportTransactions } from "../passports/index.ts";
import { avatarContent, jsonContent } from "./content.ts";
import { createRegistrationEngine, operationOf, type RegistrationEngineDeps } from "./engine.ts";
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
/** As long as an answer can be asked for again under its Idempotency-Key. */
const KEY_ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

type Options = Pick<
  Platform,
  | "deployment"
  | "db"
  | "chain"
  | "indexerWaitMs"
  | "relayer"
  | "registrar"
  | "archive"
  | "secrets"
  | "links"
  | "outbound"
  | "sponsorship"
  | "clock"
> &
  Pick<SoulReads, "index"> & {
    readonly uploads: DocumentUploads<Executor>;
    /** What becomes true with a claim, and what its agent brought along. */
    readonly claimFollowUp: FollowUps<Executor>["claim"];
    readonly archiveStaged: RegistrationEngineDeps["archiveStaged"];
  };

/** Registrations, for the server and for the process that finishes what others began. */
export function buildRegistration(options: Options) {
  const { deployment, db, chain: client, relayer, archive, secrets, clock, uploads } = options;
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
      storageUrl: options.links.storage(""),
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
    followUps: { owner: withDocuments(uploads), claim: options.claimFollowUp },
    sponsorship: options.sponsorship,
  });
  const registrationEngine = createRegistrationEngine({
    context: registrationContext,
    soulRegistry,
    relayer,
    archive,
    secrets,
    archiveStaged: options.archiveStaged,
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
    registrationJobs: {
      // Also ends those whose signature has expired unused: the contract refuses them, and their names are free again.
      "registrations.finish": () => registrationEngine.recover(),
      "api-keys.forget": () =>
        registrations.forgetApiKeys(new Date(clock().getTime() - KEY_ANSWER_KEPT_MS)),
    } as const satisfies Readonly<Record<string, JobHandler>>,
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
