import type { Hex } from "viem";
import { ALLOWANCE_REASONS, type AllowanceReason } from "../allowance-reasons.ts";

/** Where an event is on chain. Its contract follows from the fact's kind: see {@link CONTRACT_OF}. */
export interface EventPlace {
  readonly blockNumber: bigint;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

interface ChainFact<Kind extends string> {
  readonly kind: Kind;
  readonly place: EventPlace;
  /** Unix seconds of the block. */
  readonly timestamp: bigint;
}

/** SoulRegistered of the agent: its first epoch starts. */
export interface RegisteredFact extends ChainFact<"registered"> {
  readonly owner: Hex;
  /** The zero address when the owner acts for the agent. */
  readonly operator: Hex;
}

/** SoulSealed of the agent. */
export interface SealedFact extends ChainFact<"sealed"> {
  readonly epoch: number;
  readonly sealer: Hex;
}

/** SoulResealed of the agent: a later epoch starts, sealed. */
export interface ResealedFact extends ChainFact<"resealed"> {
  readonly epoch: number;
  readonly sealer: Hex;
  readonly operator: Hex;
}

/** OperatorChanged of the agent. */
export interface OperatorFact extends ChainFact<"operator"> {
  readonly epoch: number;
  readonly operator: Hex;
}

/** SoulRevised of the agent. */
export interface RevisedFact extends ChainFact<"revised"> {
  readonly epoch: number;
  readonly dataHash: Hex;
}

/** Why a payment was outside the allowance. One that the stablecoin refused was not. */
export type OverspendingReason = Exclude<AllowanceReason, "TRANSFER_FAILED">;
export const OVERSPENDING_REASONS: readonly OverspendingReason[] = ALLOWANCE_REASONS.filter(
  (reason) => reason !== "NONE" && reason !== "TRANSFER_FAILED",
);

/**
 * SpendRefused of the agent, or SpendReported outside the limits. A payment that was permitted but
 * failed in the stablecoin (TRANSFER_FAILED) does not count.
 */
export interface OverspendingFact extends ChainFact<"overspending"> {
  readonly epoch: number;
  readonly event: "refused" | "reported";
  readonly recipient: Hex;
  /** Base units of the stablecoin. */
  readonly amount: bigint;
  readonly reason: OverspendingReason;
}

/** BindingSet from the agent to another. */
export interface BindingFact extends ChainFact<"binding"> {
  /** The agent's epoch. */
  readonly epoch: number;
  readonly toTokenId: bigint;
  /** IBindingRegistry.TrustLevel: 1 revoked, 2 limited, 3 verified, 4 trusted. */
  readonly trustLevel: number;
  readonly authority: "SERVICE" | "OWNER";
}

/** NewFeedback on the agent's passport that was not revoked. */
export interface FeedbackFact extends ChainFact<"feedback"> {
  readonly account: Hex;
  readonly feedbackIndex: bigint;
  readonly value: bigint;
  readonly valueDecimals: number;
  readonly tag1: string;
}

/** ValidationResponse on the agent's passport. */
export interface ValidationFact extends ChainFact<"validation"> {
  /** The validator. */
  readonly account: Hex;
  readonly requestHash: Hex;
  /** 0 (failed) to 100 (passed). */
  readonly response: number;
}

/**
 * SoulSealed or SoulResealed of another agent, whose sealer gave feedback or a validation response.
 * The seal is valid at the snapshot's block: the epoch has not ended, the soul is not suspended,
 * and its sealer owns its passport. `timestamp` is the time of the seal.
 */
export interface ReviewerFact extends ChainFact<"reviewer"> {
  /** The sealer. */
  readonly account: Hex;
  readonly tokenId: bigint;
  readonly event: "sealed" | "resealed";
  /** Whether the seal carries a human attestation of the sealer. */
  readonly humanVerified: boolean;
}

/**
 * MemberJoined or MembersJoined of the agent, or of a reviewer's soul. The membership is recorded
 * at the snapshot's block in the soul's current epoch.
 */
export interface MembershipFact extends ChainFact<"membership"> {
  readonly tokenId: bigint;
  readonly organizationId: bigint;
}

/** OrganizationCreated, or the last AdminChanged: who administers it at the snapshot's block. */
export interface OrganizationFact extends ChainFact<"organization"> {
  readonly organizationId: bigint;
  readonly admin: Hex;
}

/** Spent: a reviewer's allowance paid the agent's owner or operator. */
export interface PaymentFact extends ChainFact<"payment"> {
  /** The account whose allowance paid: the event's `owner`. */
  readonly account: Hex;
  /** The soul that paid. */
  readonly tokenId: bigint;
  readonly recipient: Hex;
  /** Base units of the stablecoin. */
  readonly amount: bigint;
}

/** What an event on chain says. */
export type OnChainFact =
  | RegisteredFact
  | SealedFact
  | ResealedFact
  | OperatorFact
  | RevisedFact
  | OverspendingFact
  | BindingFact
  | FeedbackFact
  | ValidationFact
  | ReviewerFact
  | MembershipFact
  | OrganizationFact
  | PaymentFact;

/** How many were counted, and how many of them fit. */
export interface FittingCount {
  readonly counted: number;
  readonly fitting: number;
}

/**
 * What the agent says that it does, against the public leaves `capabilities.skills`,
 * `capabilities.tools` and `identity.agent_type`: see `chronicleFits` and `skillFits`. Leaves that
 * are not public are compared with nothing.
 */
export interface TasksFact {
  readonly kind: "tasks";
  /** Confirmed chronicles of the epoch, at most a year old, that name a skill or a task type. */
  readonly chronicles: FittingCount;
  /** Skills that the agent's registration file names. */
  readonly skills: FittingCount;
}

/**
 * Chronicles of the current epoch that an owner's decision requires, without those of decisions
 * under a day old: they are not due yet.
 */
export interface RecordsFact {
  readonly kind: "records";
  /** Chronicles of changeType `operator_change`, queued or confirmed. */
  readonly operatorChange: number;
  /** Chronicles of changeType `soul_revision`. */
  readonly soulRevision: number;
}

/** Soul documents that were uploaded as immutable, and whose content hash changed in this epoch. */
export interface DocumentsFact {
  readonly kind: "documents";
  readonly immutableChanged: number;
}

/** The registration file at the passport's URI. */
export interface RegistrationFileFact {
  readonly kind: "registrationFile";
  /**
   * keccak256 of the passport's agent URI at the snapshot's block, in UTF-8; null when the service
   * could not store it. The URI itself is untrusted and of any length.
   */
  readonly uriHash: Hex | null;
  /** Whether the file can be read, is a registration file, and names this agent, passport and registry. */
  readonly consistent: boolean;
}

/** Owners of agents that asked for fields, each counted once. */
export interface RequesterCount {
  readonly asked: number;
  /** Of these: owners with a request that ended unanswered. */
  readonly missed: number;
}

/**
 * Disclosure requests of the epoch that ended within the last year: answered (also by a refusal) or
 * expired. A requester counts as a reviewer does: its soul is sealed and valid, and human-verified
 * or sealed for 30 days. The agent's own owner and operators do not count.
 */
export interface RequestsFact {
  readonly kind: "requests";
  /** Owners with a human attestation. */
  readonly humanVerified: RequesterCount;
  readonly others: RequesterCount;
  /** Disclosures to a recipient that the owner's policy at that time refused. */
  readonly beyondPolicy: number;
}

/** What only the service can count. A score needs exactly one of each kind. */
export type OffChainFact =
  | TasksFact
  | RecordsFact
  | DocumentsFact
  | RegistrationFileFact
  | RequestsFact;

/** One input of the score. */
export type AlignmentFact = OnChainFact | OffChainFact;

/** The agent, and the moment at which it is scored. */
export interface AlignmentMoment {
  readonly tokenId: bigint;
  /** The soul's epoch at that moment. */
  readonly epoch: number;
  /** Unix seconds of the block whose state is scored. */
  readonly timestamp: bigint;
}

/** Contracts that emit the events. */
export interface AlignmentContracts {
  readonly soulRegistry: Hex;
  readonly identityRegistry: Hex;
  readonly reputationRegistry: Hex;
  /** Null where the deployment has none. */
  readonly validationRegistry: Hex | null;
  readonly allowanceVault: Hex;
  readonly bindingRegistry: Hex;
  readonly organizationRegistry: Hex;
  readonly alignmentRegistry: Hex;
}

/** The contract that emitted the event of each kind. */
export const CONTRACT_OF = {
  registered: "soulRegistry",
  sealed: "soulRegistry",
  resealed: "soulRegistry",
  operator: "soulRegistry",
  revised: "soulRegistry",
  overspending: "allowanceVault",
  binding: "bindingRegistry",
  feedback: "reputationRegistry",
  validation: "validationRegistry",
  reviewer: "soulRegistry",
  membership: "organizationRegistry",
  organization: "organizationRegistry",
  payment: "allowanceVault",
} as const satisfies Record<OnChainFact["kind"], keyof AlignmentContracts>;

/** The components and their weights, in percent. */
export const ALIGNMENT_WEIGHTS = {
  spendingAlignment: 22,
  taskTypeAlignment: 22,
  protocolAdherence: 18,
  policyCompliance: 14,
  bindingConsistency: 14,
  externalTrust: 10,
} as const;

export type AlignmentComponent = keyof typeof ALIGNMENT_WEIGHTS;

/** Integers from 0 to 100. */
export type AlignmentBreakdown = Readonly<Record<AlignmentComponent, number>>;

export interface Alignment {
  /** Null for a new agent. */
  readonly score: number | null;
  /** The agent, or its current epoch, is younger than 30 days. */
  readonly isNewAgent: boolean;
  /** The soul is not sealed in its epoch. */
  readonly isProvisional: boolean;
  readonly breakdown: AlignmentBreakdown;
  /** When the epoch started and when it was sealed. */
  readonly epoch: readonly OnChainFact[];
  /** The facts that each component used, in canonical order. */
  readonly used: Readonly<Record<AlignmentComponent, readonly AlignmentFact[]>>;
}

/**
 * The data of a snapshot's archive item, as canonical JSON. Integers above 32 bits (ids, amounts,
 * blocks, times) are decimal strings; addresses and hashes are lower-case hex.
 */
export interface AlignmentDocument {
  readonly format: typeof ALIGNMENT_FORMAT;
  readonly chainId: number;
  readonly contracts: AlignmentContracts;
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly agentName: string;
  readonly epoch: number;
  /** The block whose state was scored. */
  readonly block: { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint };
  /** The facts that the components used, and those that say whose agent it is; in order, once each. */
  readonly facts: readonly OnChainFact[];
  /** One of each kind, in order of their kinds. */
  readonly offChain: readonly OffChainFact[];
  readonly score: number | null;
  readonly isNewAgent: boolean;
  readonly isProvisional: boolean;
  readonly breakdown: AlignmentBreakdown;
  /** The account that signed the archive item. */
  readonly issuer: Hex;
}

/** Version tag of the document: raised when a field, a kind of fact or the formula changes. */
export const ALIGNMENT_FORMAT = "svc-alignment/1";
