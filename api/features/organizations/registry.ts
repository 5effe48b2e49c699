import type { Address, Hex } from "viem";
import type { Signed, SignedMessage } from "../../operations/operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";

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

export interface CreateOrganizationMessage extends SignedMessage {
  readonly name: string;
  readonly admin: Address;
}

/** Of `Join`, `Admission` and `Leave`. */
export interface MembershipMessage extends SignedMessage {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly organizationId: bigint;
  readonly version: number;
}

/** Of `ChangeAdmin` and `AcceptAdmin`. */
export interface AdminMessage extends SignedMessage {
  readonly organizationId: bigint;
  readonly newAdmin: Address;
  readonly version: number;
}

/** What the events say that answers need. */
interface RegistryEvents {
  OrganizationCreated: { readonly organizationId: bigint };
  MemberJoined: { readonly memberCount: bigint };
  MemberLeft: { readonly memberCount: bigint };
}

/** The organization registry. Reads reject with CHAIN_UNAVAILABLE. */
export interface OrganizationRegistry {
  /**
   * Null when there is no such organization.
   *
   * @param block Default: the newest.
   */
  organization(organizationId: bigint, block?: bigint): Promise<ChainOrganization | null>;
  membership(tokenId: bigint, block: bigint): Promise<ChainMembership>;
  createCall(signed: Signed<CreateOrganizationMessage>): Call;
  /** @param admission Null when the agent's owner is the admin. */
  joinCall(signed: Signed<MembershipMessage>, admission: Signed<MembershipMessage> | null): Call;
  leaveCall(signed: Signed<MembershipMessage>): Call;
  /** @param acceptance Null leaves the naming to be accepted later. */
  changeAdminCall(signed: Signed<AdminMessage>, acceptance: Signed<AdminMessage> | null): Call;
  acceptAdminCall(signed: Signed<AdminMessage>): Call;
  /** The event that the carrying out of this signature emitted. */
  eventOf<Name extends keyof RegistryEvents>(
    name: Name,
    of: { readonly txHash: Hex; readonly digest: Hex },
  ): Promise<RegistryEvents[Name]>;
  blockTime(block: bigint): Promise<Date>;
}
