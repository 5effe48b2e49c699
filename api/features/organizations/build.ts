import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type {
  RegistrationContext,
  RegistrationResolver,
  RegistrationStore,
} from "../registration/index.ts";
import { createBatchRegistry } from "./batches/batch.chain.ts";
import { batchOperation } from "./batches/batch.ts";
import { createBatches } from "./batches/batches.ts";
import { signedInvitations } from "./invitations.ts";
import { type OrganizationOperations, organizationDefinitions } from "./operations.ts";
import { createOrganizationReads } from "./organizations.store.ts";
import { createOrganizations } from "./organizations.ts";
import { createOrganizationRegistry } from "./registry.chain.ts";

type Options = Pick<
  Platform,
  "deployment" | "reads" | "chain" | "registrar" | "archive" | "secrets"
> &
  Pick<SoulReads, "age" | "souls"> & {
    readonly operations: OrganizationOperations["engine"];
    readonly registrationContext: RegistrationContext;
    readonly registrationParts: {
      readonly resolver: RegistrationResolver;
      readonly registerDeps: { readonly store: RegistrationStore };
    };
  };

/** Organizations: what is known of them, and what is signed for them. */
export function buildOrganizations(options: Options) {
  const { deployment, chain: client, age, souls, operations: engine } = options;
  const address = deployment.contracts.organizationRegistry;
  const registry = createOrganizationRegistry({ client, address });
  const definitions = organizationDefinitions({
    registry,
    souls,
  });
  const { registrar, archive, secrets, registrationContext: context } = options;
  const { resolver, registerDeps } = options.registrationParts;
  const { store } = registerDeps;
  const batches = createBatchRegistry({
    client,
    registrar,
    address: deployment.contracts.soulRegistry,
  });
  const batch = batchOperation({
    resolver,
    context,
    registry,
    batches,
    store,
    secrets,
    archive,
  });
  return {
    organizations: createOrganizations(createOrganizationReads(options.reads.pool), age),
    organizationOperations: {
      engine,
      definitions,
      invitations: signedInvitations(engine.waiting, definitions.join),
    },
    batches: createBatches({
      engine,
      definition: batch,
      store,
      secrets,
    }),
    /** Of every kind that can be stored. */
    organizationDefinitions: [...Object.values(definitions), batch],
  };
}
