import type { Address } from "viem";
import type { ORGANIZATION_REGISTRY_TYPES } from "../../../protocol/index.ts";
import type { MessageOf } from "../../../protocol/message-of.ts";
import type { GivenSignature } from "../../operations/operation.ts";

/** An organization as the chain has it. */
export interface ChainOrganization {
  readonly organizationId: bigint;
  readonly admin: Address;
  /** Null when no hand-over is pending. */
  readonly pendingAdmin: Address | null;
  /** Raised by every naming of an admin. */
  readonly version: number;
}

/** The recorded membership of an agent, in effect or not; organization and epoch are 0 without one. */
export interface ChainMembership {
  readonly organizationId: bigint;
  readonly epoch: number;
  /** The next join or leave signs over it. */
  readonly version: number;
}

type Types = typeof ORGANIZATION_REGISTRY_TYPES;
export type CreateOrganizationMessage = MessageOf<Types["CreateOrganization"]>;
/** Of `Join`, `Admission` and `Leave`. */
export type MembershipMessage = MessageOf<Types["Join"]>;
/** Of `ChangeAdmin` and `AcceptAdmin`. */
export type AdminMessage = MessageOf<Types["ChangeAdmin"]>;

/** What the events say that answers need. */
export interface RegistryEvents {
  OrganizationCreated: { readonly organizationId: bigint };
  MemberJoined: { readonly memberCount: bigint };
  MemberLeft: { readonly memberCount: bigint };
}

/** A second signature as the registry takes it; without one, what it takes for a consent that is not needed. */
export function consentOf(given: GivenSignature | null) {
  if (given === null) return { nonce: 0n, deadline: 0n, signature: "0x" } as const;
  const { message, signature } = given;
  return { nonce: message.nonce, deadline: message.deadline, signature };
}
