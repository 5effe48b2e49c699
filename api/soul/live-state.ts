import type { Address, Hex } from "viem";
import type { AgentTypeIndex } from "../../protocol/index.ts";

/** A soul as the chain has it now. */
export interface LiveSoul {
  readonly tokenId: bigint;
  readonly name: string;
  readonly sealer: Address;
  /** Whether a suspension stands, also with the passport back at its sealer. */
  readonly suspended: boolean;
  /** Sealed, not suspended, and its sealer owns the passport in this very block. */
  readonly valid: boolean;
  /** Valid, and its owner was attested to be a person in this epoch. */
  readonly humanVerified: boolean;
  readonly agentType: AgentTypeIndex;
  readonly epoch: number;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
}

/** A passport as the chain has it now. */
export interface LivePassport {
  readonly id: bigint;
  /** Null when there is no such passport. */
  readonly owner: Address | null;
  /** The soul bound to it; burned ones are bound to nothing. */
  readonly soul: LiveSoul | null;
}

/** What one wallet holds, everything read in one block. */
export interface HolderState {
  readonly block: bigint;
  /** Unix seconds of the block. */
  readonly blockTime: bigint;
  /** How many passports the wallet owns in all. */
  readonly passportCount: bigint;
  /** The requested ones, in that order, with any owner. */
  readonly passports: readonly LivePassport[];
}

/** A passport that came to a wallet. */
export interface ReceivedPassport {
  readonly id: bigint;
  /** Block of the transfer. */
  readonly since: bigint;
}

/** The chain as sign-in sees it. Every call is bounded in time and rejects with CHAIN_UNAVAILABLE when it fails. */
export interface LiveState {
  /** The named passports and how many `holder` owns in all: one call, one block. */
  passportStates(holder: Address, passportIds: readonly bigint[]): Promise<HolderState>;
  /**
   * Passports that others sent or minted to `holder` in the blocks from `from` to `to`, the earliest first, each with its last
   * arrival. Looks at no more than the last blocks of a range that is too long.
   */
  passportsReceived(
    holder: Address,
    from: bigint,
    to: bigint,
  ): Promise<readonly ReceivedPassport[]>;
}
