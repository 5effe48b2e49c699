import type { Address, Hex } from "viem";

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
}

export type SoulStatus = "PROVISIONAL" | "SEALED" | "BURNED";

/** A soul as its events tell it. Times are Unix seconds of the block. */
export interface SoulRecord {
  readonly tokenId: bigint;
  readonly name: string;
  readonly passportId: bigint;
  /** Who registered it. */
  readonly owner: Address;
  /** Who sealed the current epoch; the owner while PROVISIONAL. */
  readonly sealer: Address;
  /** Null when the sealer acts for the agent. */
  readonly operator: Address | null;
  /** 0 for none. */
  readonly parentTokenId: bigint;
  readonly epoch: number;
  readonly status: SoulStatus;
  /** On-chain value of the agent type. */
  readonly agentType: number;
  /** Null while PROVISIONAL, like every other field of the seal. */
  readonly soulHash: Hex | null;
  readonly soulMerkleRoot: Hex | null;
  readonly contentHash: Hex | null;
  /** Written by the registrar: not checked to be an id of permanent storage. */
  readonly archiveId: string | null;
  readonly genesisSoulHash: Hex | null;
  readonly agentUriHasIds: boolean | null;
  readonly mintTimestamp: bigint;
  readonly mintBlock: bigint;
  readonly mintTx: Hex;
  readonly sealedAt: bigint | null;
  readonly sealBlock: bigint | null;
  readonly sealTx: Hex | null;
}

/** An ERC-8004 passport as its events tell it. */
export interface PassportRecord {
  readonly id: bigint;
  /** Null when nobody owns it, or when only a URI of a passport older than the index was seen. */
  readonly owner: Address | null;
  /** Whatever its controller has set: untrusted. */
  readonly uri: string | null;
  readonly registrant: Address | null;
  readonly registeredAt: bigint | null;
  readonly registeredBlock: bigint | null;
  readonly registeredTx: Hex | null;
  /** Since when `owner` holds it without a break. */
  readonly ownerSince: bigint | null;
  readonly ownerSinceBlock: bigint | null;
  readonly transferCount: number;
}

/** A soul and the passport that it is bound to. */
export interface AgentRecord {
  readonly soul: SoulRecord;
  /** Null when the index has never seen the passport. */
  readonly passport: PassportRecord | null;
  /** What its owner published with this very soul; null when it was registered elsewhere, or resealed since. */
  readonly published: { readonly publicFields: Readonly<Record<string, unknown>> } | null;
}

/** The index as a profile reads it. Each call is one query. */
export interface ProfileReads {
  profileByName(name: string): Promise<Reading<AgentRecord | null>>;
  profileByTokenId(tokenId: bigint): Promise<Reading<AgentRecord | null>>;
}

/** The index as whoever waits for it sees it. */
export interface IndexProgress {
  /** The last block whose events are visible. */
  indexedBlock(): Promise<bigint>;
  /** Resolves with the block reached: `block` or later, or an earlier one when `timeoutMs` milliseconds were not enough. */
  waitForBlock(block: bigint, timeoutMs: number): Promise<bigint>;
}
