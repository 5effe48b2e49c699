import type { OperationEngine } from "../../operations/engine.ts";
import {
  type AcceptOperation,
  type AdminOperation,
  acceptOperation,
  handOverOperation,
  namingOperation,
} from "./admins.ts";
import { type FoundingOperation, foundingOperation } from "./founding.ts";
import type { SignedInvitations } from "./invitations.ts";
import {
  type JoinOperation,
  joinOperation,
  type LeaveOperation,
  leaveOperation,
  type MembershipDeps,
} from "./memberships.ts";

/** Every operation on organizations. */
export interface OrganizationDefinitions {
  readonly found: FoundingOperation;
  readonly join: JoinOperation;
  readonly leave: LeaveOperation;
  readonly name: AdminOperation;
  readonly handOver: AdminOperation;
  readonly accept: AcceptOperation;
}

export function organizationDefinitions(
  deps: MembershipDeps & Parameters<typeof foundingOperation>[0],
): OrganizationDefinitions {
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
  readonly definitions: OrganizationDefinitions;
  readonly invitations: SignedInvitations;
}
