import type { BuiltEngine } from "../../operations/build.ts";
import type { Platform } from "../../platform/build.ts";
import type { JobHandler } from "../../platform/jobs/ports.ts";
import type { DocumentUploads } from "../documents/index.ts";
import type { WasStopped } from "../keys/index.ts";
import { createPassportTransactions, type FileDeps } from "../passports/index.ts";
import { forgetApiKeys } from "./api-key.ts";
import { avatarContent, jsonContent } from "./content.ts";
import { createBindablePassports } from "./passport-binding.chain.ts";
import { createPassportBinding } from "./passport-binding.ts";
import type { FollowUp } from "./ports.ts";
import { registrationOperationId } from "./ports.ts";
import { createPublisher } from "./publisher.ts";
import { registerOperation } from "./register-operation.ts";
import type { OwnerOrigin } from "./registration.ts";
import { createRegistrationService, ownerRegistrationKind } from "./registration.ts";
import { archiveOfRegistered, createRegistrationStore } from "./registrations.store.ts";
import { createRegistrationResolver } from "./resolver.ts";
import { createSoulRegistry } from "./soul-registry.chain.ts";

type Options = Pick<
  Platform,
  "deployment" | "db" | "chain" | "registrar" | "archive" | "secrets" | "links" | "clock"
> &
  Pick<BuiltEngine, "operations" | "signingDomains"> & {
    readonly uploads: DocumentUploads;
    readonly wasStopped: WasStopped;
    readonly passportFiles: Pick<FileDeps, "files">;
  };

/** Registrations by owners, and what claims share with them. */
export function buildRegistration(options: Options) {
  const { deployment, db, chain: client, archive, secrets, clock, uploads, operations } = options;
  const { chainId, contracts } = deployment;
  const { soulRegistry: address, passportWriter, identityRegistry, worldIdVerifier } = contracts;
  const registrationContext = {
    chainId,
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
  const transactions = createPassportTransactions({ chainId, identityRegistry, passportWriter });
  const binding = createPassportBinding(
    createBindablePassports(client, contracts),
    options.passportFiles.files,
    transactions,
  );
  const resolver = createRegistrationResolver({
    binding,
    avatarUri: async (agent) => `ar://${await archive.idOf(avatarContent(agent))}`,
    fileUri: async (json) => `ar://${await archive.idOf(jsonContent(json))}`,
    context: registrationContext,
  });
  const registrations = createRegistrationStore(db, clock, options.wasStopped);
  const registerDeps = {
    context: registrationContext,
    soulRegistry,
    publisher: createPublisher(archive, registrationContext),
    store: registrations,
    secrets,
  };
  const operation = registerOperation(
    ownerRegistrationKind({
      context: registrationContext,
      resolver,
      binding,
      followUp: documentsFollowUp(uploads),
    }),
    registerDeps,
  );
  const registration = createRegistrationService({
    context: registrationContext,
    operations,
    domains: options.signingDomains,
    operation,
    store: registrations,
    secrets,
    clock,
    transactions,
    uploads,
  });
  return {
    registrationContext,
    soulRegistry,
    registration,
    archiveOfRegistered: (name: string) => archiveOfRegistered(db, name),
    registrationParts: { resolver, binding, transactions, registerDeps },
    registrationDefinitions: [operation],
    registrationJobs: {
      "api-keys.forget": () => forgetApiKeys(registrations, clock()),
    } as const satisfies Readonly<Record<string, JobHandler>>,
  };
}

/** Declared documents can be uploaded once the soul exists. */
function documentsFollowUp(uploads: DocumentUploads): FollowUp<OwnerOrigin> {
  return {
    accepted: async () => {},
    async completed(tx, { id, request }, { tokenId, epoch }) {
      const documents = request.soulDocuments ?? [];
      if (documents.length === 0) return;
      const operationId = registrationOperationId(id);
      await uploads.issue(tx, { tokenId, epoch, operationId, documents });
    },
    ended: async () => {},
  };
}
