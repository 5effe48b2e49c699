import type { Address, Hex } from "viem";
import type { AgentTypeIndex } from "../../protocol/index.ts";
import type { DeclaredIdentity } from "./declared-identity.ts";
import type { DisplaySettings } from "./display-settings.ts";
import type { SoulRef } from "./soul-ref.ts";

/** How far the index has come: everything up to and with this block is in the answer, and nothing after it. */
export interface IndexedPoint {
  readonly block: bigint;
  /** Unix seconds of that block. */
  readonly timestamp: bigint;
}

/** What was read, and how far the index had come in the same instant. */
export interface Reading<T> {
  readonly at: IndexedPoint;
  readonly value: T;
  /** Unix seconds of the block at which ownership was read from the chain, where the index was too far behind. */
  readonly checkedAt?: bigint | undefined;
}

export type SoulStatus = "PROVISIONAL" | "SEALED" | "BURNED";

/** A soul as its events tell it. Times are Unix seconds of the block. */
export interface IndexedSoul {
  readonly tokenId: bigint;
  readonly name: string;
  readonly passportId: bigint;
  /** Who registered it. */
  readonly owner: Address;
  /** Who sealed the current epoch; the owner while PROVISIONAL. */
  readonly sealer: Address;
  /** Null when the sealer acts for the agent. */
  readonly operator: Address | null;
  /** What the next change of operator is signed over. */
  readonly version: number;
  /** 0 for none. */
  readonly parentTokenId: bigint;
  readonly epoch: number;
  readonly status: SoulStatus;
  /** On-chain value of the agent type. */
  readonly agentType: number;
  /** Null while nothing was sealed, like every other field of the seal. */
  readonly soulHash: Hex | null;
  readonly soulMerkleRoot: Hex | null;
  readonly contentHash: Hex | null;
  /** Of the last seal, revision or reseal. Written by the registrar: not checked to be an id of permanent storage. */
  readonly archiveId: string | null;
  readonly genesisSoulHash: Hex | null;
  /** Null after a reseal too. */
  readonly agentUriHasIds: boolean | null;
  /** Soul hashes that it has had. */
  readonly revisions: number;
  /** The adapter that attested the sealer to be a person, in this epoch. */
  readonly humanVerifier: Address | null;
  /** Archive of the DID document in this epoch, 32 bytes. */
  readonly didArchiveId: Hex | null;
  /** Whether a suspension stands: the soul is then not valid, also when the passport is back with its sealer. */
  readonly suspended: boolean;
  /** The passport's owner that the last suspension of this epoch observed. */
  readonly suspendedOwner: Address | null;
  readonly suspendedAt: bigint | null;
  readonly suspendedBlock: bigint | null;
  /** Null unless it is a reincarnation: whether it has its parent's last hash, and the parent's first one. */
  readonly soulContinuity: boolean | null;
  readonly soulHashMatch: boolean | null;
  /** 0 to 100; null, like the three after it, without a record. */
  readonly alignmentScore: number | null;
  readonly alignmentArchiveId: Hex | null;
  readonly alignmentBlock: bigint | null;
  /** Time of that block, or of the record where this service does not know it. */
  readonly alignmentAt: bigint | null;
  readonly mintTimestamp: bigint;
  readonly mintBlock: bigint;
  readonly mintTx: Hex;
  readonly sealedAt: bigint | null;
  readonly sealBlock: bigint | null;
  readonly sealTx: Hex | null;
  readonly burnedAt: bigint | null;
  readonly burnBlock: bigint | null;
  readonly burnTx: Hex | null;
  readonly burnReasonHash: Hex | null;
  /** When owner or operator last did something with it on chain. */
  readonly lastActiveAt: bigint;
}

/** An ERC-8004 passport as its events tell it. */
export interface IndexedPassport {
  readonly id: bigint;
  /** Null without an owner, or when only a URI of a passport older than the index was seen. */
  readonly owner: Address | null;
  /** As its controller has set it: untrusted. */
  readonly uri: string | null;
  readonly registrant: Address | null;
  readonly registeredAt: bigint | null;
  readonly registeredBlock: bigint | null;
  readonly registeredTx: Hex | null;
  /** Since when `owner` holds it without a break. */
  readonly ownerSince: bigint | null;
  readonly ownerSinceBlock: bigint | null;
  readonly transferCount: number;
  /** The soul that it carries; null for none. */
  readonly soulTokenId: bigint | null;
  /** When a soul last left out its `svc*` metadata, which may have been written since. */
  readonly metadataPendingAt: bigint | null;
  readonly metadataPendingBlock: bigint | null;
}

/** An agent's recorded membership; inactive unless `epoch` is the soul's. */
export interface MembershipRecord {
  readonly organizationId: bigint;
  readonly epoch: number;
}

/** The soul that had a hash or Merkle root before another soul did. It may be burned by now. */
export interface OriginalSoul {
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly genesisStatus: SoulStatus;
  /** When it had them first. */
  readonly sealedAt: Date;
}

/** A soul, its passport, and a profile's facts about both. */
export interface IndexedAgent {
  readonly soul: IndexedSoul;
  /** Null when the index has never seen the passport. */
  readonly passport: IndexedPassport | null;
  /** Where the passport's owner says that the agent takes payments (`agentWallet`); null for nowhere. */
  readonly agentWallet: Address | null;
  /** Null when it is recorded in no organization. */
  readonly membership: MembershipRecord | null;
  /**
   * Agents that it has bound, and not revoked, in the epochs that both are in, and whose own seal is valid. They act only while the
   * seal of this one is valid too.
   */
  readonly bindings: number;
  /** The soul that had its hash or Merkle root first; null when it had them first itself. */
  readonly duplicateOf: OriginalSoul | null;
  /** The soul in which a burned one was reincarnated; null for none. */
  readonly successorTokenId: bigint | null;
  /** What its operator (or the owner, who acts for an agent without one) was paid through others' allowances, in base units. */
  readonly earned: bigint;
  /** What its owner published with this very soul; null when it was sealed elsewhere, or revised since. */
  readonly published: {
    readonly publicFields: Readonly<Record<string, unknown>>;
    readonly birthBundle: BirthBundle | null;
  } | null;
  /** Its present sealer's statements, from the registration or later. Null without any. */
  readonly identity: DeclaredIdentity | null;
  /** The display name in its present sealer's registration: untrusted. Null for none. */
  readonly displayName: string | null;
  /** URI of its picture, as its present sealer's registration has it: chosen by the owner, untrusted. Null for none. */
  readonly image: string | null;
  /** Null while nothing was set in this epoch. */
  readonly display: { readonly settings: DisplaySettings; readonly updatedAt: Date } | null;
  /** Its chronicles of changeType `task_completed`. */
  readonly tasksCompleted: number;
  /** When the newest of its chronicles was recorded; null for none. */
  readonly lastChronicleAt: Date | null;
}

/** Agents as the index has them. Each call is one query. */
export interface IndexedAgents {
  /** Null for none. A burned soul is bound to no passport: only its name and token id find it. */
  agent(ref: SoulRef): Promise<Reading<IndexedAgent | null>>;
}

/** What decides who acts for an agent. */
export type AgentHolding = Pick<IndexedAgent, "soul" | "passport">;

/** Who holds agents. Costs a small part of what a whole agent does. */
export interface HoldingReads {
  /** Null for none. */
  holding(tokenId: bigint): Promise<Reading<AgentHolding | null>>;
}

/** Passports, with and without a soul. */
export interface PassportReads {
  passport(id: bigint): Promise<Reading<IndexedPassport | null>>;
}

/**
 * An agent that registered itself and has not been claimed, so nothing of it is on chain. Its self-description is published by
 * the claim: without an owner's consent an agent cannot put text on a page of this service.
 */
export interface UnclaimedAgent {
  readonly name: string;
  readonly agentType: AgentTypeIndex;
}

/** A creator's note, name and picture for an agent. Omitted texts are empty. */
export interface BirthBundle {
  readonly note: string;
  readonly creatorName: string;
  readonly creatorImageUrl: string;
}

export interface UnclaimedReads {
  /** Null when no agent of this name waits for its owner. */
  unclaimed(name: string): Promise<UnclaimedAgent | null>;
}

/** The index as its waiting callers see it. */
export interface IndexProgress {
  /** The last block whose events are visible. */
  indexedBlock(): Promise<bigint>;
  /** Resolves with the block reached: `block` or later, or an earlier one when `timeoutMs` milliseconds were not enough. */
  waitForBlock(block: bigint, timeoutMs: number): Promise<bigint>;
}

/** The origin of a soul's current soul hash. */
export interface SoulOrigin {
  readonly kind: "SEAL" | "REVISION" | "RESEAL";
  readonly tx: Hex;
  /** Of a revision: SHA-256 of its public record. */
  readonly dataHash: Hex | null;
}
