import type { Address } from "viem";
import type {
  AgentTypeIndex,
  Field,
  FieldLeaf,
  RegistrationMessage,
} from "../../../../protocol/index.ts";
import type { BirthBundle } from "../../../soul/index-reads.ts";
import type { HashedSoul } from "../../../soul/text/agent-soul.ts";
import type { DeclaredDocument } from "../../documents/index.ts";
import type {
  PublicIdentity,
  RegistrationOrigin,
  RegistrationRequest,
} from "../../registration/index.ts";

/** Where a claim's registration comes from. */
export type ClaimOrigin = Extract<RegistrationOrigin, { readonly kind: "claim" }>;

/**
 * The public part of an unclaimed registration: its owner sees it, and publishes it by claiming.
 */
export interface StagedContent extends Omit<HashedSoul, "merkleLeaves"> {
  readonly agentType: AgentTypeIndex;
  readonly sourceFormat: string;
  readonly publicFields: Readonly<Partial<Record<Field, unknown>>>;
  readonly publicIdentity: PublicIdentity;
  readonly agentDescription: string | null;
  readonly birthBundle: BirthBundle | null;
  readonly erc8004AgentId: bigint | null;
  /** About the personality document: what the soul commits to, and how it is shown. */
  readonly document: DeclaredDocument | null;
}

/** A stored registration of an agent. */
export interface AgentRegistration {
  readonly id: string;
  readonly name: string;
  readonly state: "pending" | "claiming" | "claimed" | "deleted";
  /** Null, like the two after it, once it is claimed or deleted. */
  readonly content: StagedContent | null;
  /** Bound to `id`. */
  readonly saltEncrypted: Buffer | null;
  readonly leaves: readonly FieldLeaf[] | null;
  readonly documentText: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly tokenId: bigint | null;
  readonly owner: Address | null;
}

/** A draft that an owner was given to sign. */
export interface ClaimDraft {
  readonly registrationId: string;
  readonly agentKeeps: boolean;
  /** HMAC of the edits, and of whether the agent keeps a key. */
  readonly editsMac: Buffer;
  readonly request: Omit<RegistrationRequest, "soulSalt">;
  readonly message: RegistrationMessage;
  /** Bound to the registration's id and the message's nonce. */
  readonly saltEncrypted: Buffer;
  readonly createdAt: Date;
}

/** How many drafts are stored for one registration. */
export interface DraftLimits {
  /** The limit of drafts by one requester for one owner: the newest are kept. */
  readonly perOwner: number;
  /** Drafts of one requester, for any owners: more are refused. */
  readonly perRequester: number;
  /**
   * Drafts of one registration. One more displaces the oldest draft of the network block with the
   * most drafts. It is refused when that block has no more drafts than its own block then would. So
   * the newest draft of a block is never displaced.
   */
  readonly perRegistration: number;
}
