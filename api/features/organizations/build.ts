import type { OperationEngine } from "../../operations/engine.ts";
import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type {
  RegistrationContext,
  RegistrationResolver,
  RegistrationStore,
} from "../registration/index.ts";
import { acceptOperation, handOverOperation, namingOperation } from "./admins.ts";
import { createBatchRegistry } from "./batches/batch.chain.ts";
import { batchOperation } from "./batches/batch.ts";
import { createBatches } from "./batches/batches.ts";
import { foundingOperation } from "./founding.ts";
import { signedInvitations } from "./invitations.ts";
import { joinOperation, leaveOperation } from "./memberships.ts";
import { createOrganizationReads, createOrganizations } from "./organizations.store.ts";
import { createOrganizationRegistry } from "./registry.chain.ts";

type Options = Pick<
  Platform,
  "deployment" | "reads" | "chain" | "registrar" | "archive" | "secrets"
> &
  Pick<SoulReads, "age" | "souls"> & {
    readonly operations: Pick<
      OperationEngine,
      "prepare" | "perform" | "submit" | "settle" | "waiting"
    >;
    readonly registrationContext: RegistrationContext;
    readonly registrationParts: {
      readonly resolver: RegistrationResolver;
      readonly registerDeps: { readonly store: RegistrationStore };
    };
  };

export type BuiltOrganizations = ReturnType<typeof buildOrganizations>;
/** What is signed for organizations, with the engine that carries it out. */
export type SignedForOrganizations = Pick<BuiltOrganizations, "organizationOperations">;

/** Organizations: what is known of them, and what is signed for them. */
export function buildOrganizations(options: Options) {
  const { deployment, chain: client, age, souls, operations: engine, registrar, secrets } = options;
  const { organizationRegistry, soulRegistry } = deployment.contracts;
  const registry = createOrganizationRegistry({ client, address: organizationRegistry });
  const definitions = {
    found: foundingOperation(registry),
    join: joinOperation(registry, souls),
    leave: leaveOperation(registry, souls),
    name: namingOperation(registry),
    handOver: handOverOperation(registry),
    accept: acceptOperation(registry),
  };
  const { resolver, registerDeps } = options.registrationParts;
  const { store } = registerDeps;
  const definition = batchOperation({
    ...options,
    context: options.registrationContext,
    resolver,
    registry,
    batches: createBatchRegistry({ client, registrar, address: soulRegistry }),
    store,
  });
  return {
    organizations: createOrganizations(createOrganizationReads(options.reads.pool), age),
    organizationOperations: {
      engine,
      definitions,
      invitations: signedInvitations(engine.waiting, definitions.join),
    },
    batches: createBatches({ engine, definition, store, secrets }),
    /** Of every kind that can be stored. */
    organizationDefinitions: [...Object.values(definitions), definition],
  };
}
