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
export interface OrganizationDefinitions<Transaction> {
  readonly found: FoundingOperation<Transaction>;
  readonly join: JoinOperation<Transaction>;
  readonly leave: LeaveOperation<Transaction>;
  readonly name: AdminOperation<Transaction>;
  readonly handOver: AdminOperation<Transaction>;
  readonly accept: AcceptOperation<Transaction>;
}

export function organizationDefinitions<Transaction>(
  deps: MembershipDeps & Parameters<typeof foundingOperation>[0],
): OrganizationDefinitions<Transaction> {
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
export interface OrganizationOperations<Transaction = unknown> {
  readonly engine: Pick<
    OperationEngine<Transaction>,
    "prepare" | "perform" | "submit" | "settle" | "waiting"
  >;
  readonly definitions: OrganizationDefinitions<Transaction>;
  readonly invitations: SignedInvitations<Transaction>;
}
