import type { Address, Hex } from "viem";
import type { GivenSignature, SignatureRole } from "../../operations/operation.ts";
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

interface Signed<Message> {
  readonly message: Message;
  readonly signature: Hex;
  readonly signer: Address;
}

interface Once {
  readonly nonce: bigint;
  readonly deadline: bigint;
}

export interface CreateOrganizationMessage extends Once {
  readonly name: string;
  readonly admin: Address;
}

/** Of `Join`, `Admission` and `Leave`. */
export interface MembershipMessage extends Once {
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly organizationId: bigint;
  readonly version: number;
}

/** Of `ChangeAdmin` and `AcceptAdmin`. */
export interface AdminMessage extends Once {
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

/** The signature in a role, with the message that the role's type has; null without one. */
export function signedAs<Message extends Once>(
  signatures: readonly GivenSignature[],
  role: SignatureRole,
): Signed<Message> | null {
  const given = signatures.find((one) => one.role === role);
  return given ? { ...given, message: given.message as Message & GivenSignature["message"] } : null;
}

/** The same for a role without which there is no operation. */
export function requiredAs<Message extends Once>(
  signatures: readonly GivenSignature[],
  role: SignatureRole,
): Signed<Message> {
  const signed = signedAs<Message>(signatures, role);
  if (signed === null) throw new Error(`There is no signature of the ${role}.`);
  return signed;
}
