import type { Hex } from "viem";

/** What its owner says of an agent in public; every text is the owner's. */
export interface PublicIdentityRecord {
  readonly bio: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly contacts: readonly { readonly type: string; readonly value: string }[];
}

/** What is recorded of a soul. Times are Unix seconds. */
export interface SoulDetails {
  /** The epoch that all of this is of. */
  readonly epoch: number;
  /** 0 to 100; null without a snapshot. */
  readonly alignmentScore: number | null;
  /** When this epoch was sealed: an attested owner was attested in that transaction. */
  readonly sealedAt: bigint | null;
  readonly mintTx: Hex;
  readonly sealTx: Hex | null;
  /** Archive of the last seal, revision or reseal. Named by the registrar: not checked. */
  readonly archiveId: string | null;
  /** Published by the one who sealed this epoch; null when nothing was. */
  readonly publicIdentity: PublicIdentityRecord | null;
}

/** What is recorded about an agent beside what a sign-in reads live. */
export interface AgentDetails {
  /** Where the passport points: set by its owner, untrusted. Null when it is not indexed. */
  readonly passportUri: string | null;
  /** Null for a passport without this soul, or before it is indexed. */
  readonly soul: SoulDetails | null;
}

/** One growth record of a soul. */
export interface ChronicleRecord {
  readonly changeType: "soul_revision" | "operator_change";
  /** Of a revision. */
  readonly newSoulHash: Hex | null;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly txHash: Hex;
}

/** The index as a sign-in's profile reads it. Rejects with REGISTRY_PENDING while nothing is indexed. */
export interface DetailsIndex {
  /** One query. */
  agentDetails(passportId: bigint, tokenId: bigint | null): Promise<AgentDetails>;
  /** At most `limit` of a soul's records, the newest first. */
  chroniclesOf(tokenId: bigint, limit: number): Promise<readonly ChronicleRecord[]>;
}
