import type { Hex } from "viem";
import type {
  DisclosureMode,
  DisclosurePolicy,
  Field,
  FieldLeaf,
  RefusalReason,
  RequesterFacts,
} from "../../../protocol/index.ts";
import { authoriseOn, type Effect } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import type { IndexedAgents, UnclaimedReads } from "../../soul/index-reads.ts";
import { requireSoul, type SoulCondition } from "../../soul/require-soul.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { AgentEvent, EventName, EventSink, SentOnce } from "../webhooks/index.ts";

/** What made a disclosure. */
export const DISCLOSURE_TRIGGERS = [
  "manual",
  "policy_auto",
  "disclosure_request",
  "disclosure_request_p2p",
  "regulatory_audit",
  "org_audit",
] as const;

/** That fields were disclosed: never their values. */
export interface DisclosureRecord extends SoulEpoch {
  readonly id: string;
  readonly agentName: string;
  readonly fields: readonly Field[];
  /** An agent, or a regulator, which has no token id; null for the public. */
  readonly recipient: {
    readonly tokenId: bigint | null;
    readonly did: string;
    readonly name: string;
  } | null;
  readonly trigger: (typeof DISCLOSURE_TRIGGERS)[number];
  readonly issuedAt: Date;
  /** Null for never. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface HistoryFilter {
  readonly recipientDid?: string | undefined;
  readonly field?: Field | undefined;
  readonly since?: Date | undefined;
}

/** Where a disclosure is in its agent's history. */
export type DisclosurePosition = Pick<DisclosureRecord, "issuedAt" | "id">;

/** Records of disclosures. */
export interface DisclosureStore {
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  add(transaction: Transaction, record: DisclosureRecord): Promise<void>;
  /** Locked until the transaction's end; null when the epoch has no such disclosure. */
  lock(transaction: Transaction, soul: SoulEpoch, id: string): Promise<DisclosureRecord | null>;
  revoke(transaction: Transaction, id: string, at: Date, reason: string | null): Promise<void>;
  /** The newest first, with where the next page begins; null on the last page. */
  history(
    soul: SoulEpoch,
    filter: HistoryFilter,
    page: ListPage<DisclosurePosition>,
  ): Promise<{
    readonly total: number;
    readonly records: readonly DisclosureRecord[];
    readonly next: DisclosurePosition | null;
  }>;
  /** Fields that are disclosed to the public now, beside the published ones. */
  publicFields(soul: SoulEpoch, at: Date): Promise<readonly Field[]>;
}

/** A policy as it was set. */
export interface StoredPolicy {
  readonly id: string;
  readonly policy: DisclosurePolicy;
  readonly createdAt: Date;
  /** When it was replaced or deactivated; null while it is active. */
  readonly endedAt: Date | null;
}

/** Policies of one seal epoch each. */
interface PolicyStore {
  /** The policy that decides now; null for none. Without a transaction, as last committed. */
  active(soul: SoulEpoch, transaction?: Transaction): Promise<DisclosurePolicy | null>;
  /** Stores a policy, and ends the active one. Does nothing when its id is known. */
  replace(soul: SoulEpoch, policy: StoredPolicy): Promise<void>;
  /** The active one, then the newest first, at most `limit`. */
  list(soul: SoulEpoch, limit: number): Promise<readonly StoredPolicy[]>;
  /** Ends an active policy. Resolves to the policy; null when the epoch has no such one. */
  end(soul: SoulEpoch, policyId: string, at: Date): Promise<StoredPolicy | null>;
}

/**
 * - `pending_approval`: every field that was not refused needs its owner.
 * - `partially_fulfilled`: public values were given out, and other fields need the owner.
 * - `fulfilled`: it was answered.
 * - `expired`: seven days passed without an answer.
 * - `cancelled`: one of the two agents was resealed or burned.
 */
export const REQUEST_STATES = [
  "pending_approval",
  "partially_fulfilled",
  "fulfilled",
  "expired",
  "cancelled",
] as const;

/** One of the two agents of a request, in the epoch of the request. */
export interface Party extends SoulEpoch {
  readonly name: string;
  readonly did: string;
}

/** A field that its owner decides about. */
export interface PendingField {
  readonly field: Field;
  readonly mode: DisclosureMode;
  readonly p2pAvailable: boolean;
}

export interface RejectedField {
  readonly field: Field;
  readonly reason: RefusalReason;
}

/** How a request was answered: never with a value. */
export interface RequestAnswer {
  readonly mode: "api_relayed" | "p2p_direct";
  readonly fulfilled: readonly Field[];
  readonly denied: readonly Field[];
  /** Null when nothing was disclosed. */
  readonly disclosureId: string | null;
  readonly expiresAt: Date | null;
  readonly at: Date;
  /** Null while the values are being sent, and where the owner sent them. */
  readonly requesterNotified: boolean | null;
  /** How often the service sent the values. */
  readonly attempts: number;
}

/** A request as stored. */
export interface DisclosureRequest {
  readonly id: string;
  readonly requester: Party;
  readonly target: Party;
  readonly requestedFields: readonly Field[];
  readonly given: readonly Field[];
  readonly pending: readonly PendingField[];
  readonly rejected: readonly RejectedField[];
  readonly reason: string;
  readonly freshnessRequired: boolean;
  readonly endpoint: string | null;
  readonly publicKey: string | null;
  readonly webhookSent: boolean;
  readonly state: (typeof REQUEST_STATES)[number];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly answer: RequestAnswer | null;
}

/** Where a request is in the list of those that wait. */
export type RequestPosition = Pick<DisclosureRequest, "createdAt" | "id">;

interface RequestStore {
  find(id: string): Promise<DisclosureRequest | null>;
  /** Locked until the transaction's end. */
  lock(transaction: Transaction, id: string): Promise<DisclosureRequest | null>;
  /** Requests of a requester that are open at a time, of all and of this target. No other is added meanwhile. */
  countOpen(
    transaction: Transaction,
    requester: SoulEpoch,
    targetTokenId: bigint,
    at: Date,
  ): Promise<{ readonly all: number; readonly ofTarget: number }>;
  add(transaction: Transaction, request: DisclosureRequest): Promise<void>;
  answer(transaction: Transaction, id: string, answer: RequestAnswer): Promise<void>;
  /** Records how one try to send values ended. */
  notified(id: string, attempt: number, wasTaken: boolean): Promise<void>;
  end(transaction: Transaction, id: string, state: "expired" | "cancelled"): Promise<void>;
  /** Requests to a target that are open at a time, the oldest first, with where the next page begins. */
  waiting(
    target: SoulEpoch,
    at: Date,
    page: ListPage<RequestPosition>,
  ): Promise<{
    readonly total: number;
    readonly requests: readonly DisclosureRequest[];
    readonly next: RequestPosition | null;
  }>;
  /** Open requests that have expired, locked, without those that are locked already. */
  due(transaction: Transaction, at: Date, limit: number): Promise<readonly DisclosureRequest[]>;
}

/** Two agents and what is between them, all read in one block with one call. */
export interface PairFacts {
  /** Null for a token id that was never given. */
  readonly target: ChainSoul | null;
  readonly requester: ChainSoul | null;
  /** From the target to the requester. */
  readonly binding: RequesterFacts["binding"];
  /** Live membership; 0 for none. */
  readonly targetOrganization: bigint;
  readonly requesterOrganization: bigint;
}

/** What is stored of a soul's content: hashes, and the salt in encrypted form. */
export interface SealedLeaves {
  readonly soulHash: Hex;
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
}

/** What every decision of the feature is made with. */
export interface DisclosureContext {
  readonly records: DisclosureStore;
  readonly policies: PolicyStore;
  readonly requests: RequestStore;
  readonly sealedLeaves: (soul: SoulEpoch) => Promise<SealedLeaves | null>;
  /** Reads what decides about a disclosure. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
  readonly pair: (targetTokenId: bigint, requesterTokenId: bigint) => Promise<PairFacts>;
  readonly index: IndexedAgents;
  /** The index, where ownership is never older than its maximum age. */
  readonly agents: IndexedAgents;
  readonly unclaimed: UnclaimedReads["unclaimed"];
  readonly souls: ChainSouls;
  readonly secrets: Secrets;
  readonly events: EventSink;
  /** Whether a webhook of the agent is sent this event. */
  readonly isSubscribed: (event: EventName, tokenId: bigint) => Promise<boolean>;
  /** Sends an event with values from memory. */
  readonly sendOnce: (event: AgentEvent, epoch: number) => Promise<SentOnce>;
  /** Called when a try to send values failed. */
  readonly unsent: (requestId: string) => void;
  readonly receivers: Pick<OutboundHttp, "assertPublicUrl">;
  /** The service's own address. */
  readonly publicUrl: URL;
  readonly chainId: number;
  readonly clock: () => Date;
}

/** What routes and pages get of the feature. */
export interface WithDisclosure {
  readonly disclosure: DisclosureContext;
}

/**
 * Lets a caller act on a soul as it was read, in the very epoch of the caller's credential.
 *
 * @throws ApiError of `authoriseOn`; UNAUTHORIZED for a key of another epoch.
 */
export function authoriseInEpoch(soul: ChainSoul, caller: Caller, effect: Effect): void {
  authoriseOn(soul, caller, effect);
  // A key ends with its epoch, also while the index has not seen the next one.
  if (caller.kind === "full" && caller.epoch !== soul.epoch) {
    throw new ApiError("UNAUTHORIZED");
  }
}

/** The soul that a caller acts on. @throws ApiError of `requireSoul`, then of {@link authoriseInEpoch}. */
export async function soulFor<Condition extends SoulCondition>(
  { souls }: DisclosureContext,
  caller: Caller,
  tokenId: bigint,
  condition: Condition,
  effect: Effect,
) {
  const soul = await requireSoul(souls, tokenId, condition);
  authoriseInEpoch(soul, caller, effect);
  return soul;
}
