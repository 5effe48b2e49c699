import type { Address } from "viem";
import type { FieldLeaf, RegistrationMessage } from "../../../../protocol/index.ts";
import type { RegistrationRequest } from "../../registration/index.ts";
import type { StagedContent } from "../agent-registration.ts";

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

export interface ClaimStore {
  find(tokenHash: Buffer): Promise<AgentRegistration | null>;
  /**
   * Stores a draft within the limits. Does nothing when the registration can no longer be claimed.
   *
   * @param requester the caller, as limits count callers.
   * @throws ApiError RATE_LIMIT_EXCEEDED when it exceeds the requester's limit, or its network
   * block's share of a full registration.
   */
  insertDraft(draft: ClaimDraft, requester: string, limits: DraftLimits): Promise<void>;
  findDraft(registrationId: string, nonce: bigint): Promise<ClaimDraft | null>;
  /** Whether a claimed agent itself holds a live key at `at`: a key rotation ends it. */
  hasAgentKey(tokenId: bigint, at: Date): Promise<boolean>;
}
