import type { OperationEngine } from "../../operations/engine.ts";
import { acceptOperation, handOverOperation, namingOperation } from "./admins.ts";
import { foundingOperation } from "./founding.ts";
import type { SignedInvitations } from "./invitations.ts";
import { joinOperation, leaveOperation, type MembershipDeps } from "./memberships.ts";

/** Every operation on organizations. */
export function organizationDefinitions(deps: MembershipDeps) {
  return {
    found: foundingOperation(deps),
    join: joinOperation(deps),
    leave: leaveOperation(deps),
    name: namingOperation(deps.registry),
    handOver: handOverOperation(deps.registry),
    accept: acceptOperation(deps.registry),
  };
}

/** The definitions with the engine that carries them out, as routes use them. */
export interface OrganizationOperations {
  readonly engine: Pick<OperationEngine, "prepare" | "perform" | "submit" | "settle" | "waiting">;
  readonly definitions: ReturnType<typeof organizationDefinitions>;
  readonly invitations: SignedInvitations;
}
