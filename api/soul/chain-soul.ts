import type { Address, Hex } from "viem";
import type { AgentTypeIndex } from "../../protocol/index.ts";
import type { SoulStatus } from "./index-reads.ts";
import type { ValidityStatus } from "./validity.ts";
import { isWithSealer } from "./with-sealer.ts";

/** The block that an answer of the chain is about. */
export interface ChainPoint {
  readonly block: bigint;
  /** Unix seconds of the block. */
  readonly blockTime: bigint;
}

/** A soul and its passport as the chain has them, everything read in one block with one call. */
export interface ChainSoul extends ChainPoint {
  readonly tokenId: bigint;
  readonly name: string;
  readonly agentType: AgentTypeIndex;
  readonly status: SoulStatus;
  /** As the registry's own `validityOf` answers it. */
  readonly validity: ValidityStatus;
  /** Of a burned soul: the passport that it was bound to. */
  readonly passportId: bigint;
  /** Null when the passport's owner cannot be read. */
  readonly passportOwner: Address | null;
  /** Who sealed it, or registered it while it is not sealed. */
  readonly sealer: Address;
  /** Null when the sealer acts for the agent. */
  readonly operator: Address | null;
  /** Whether a suspension stands, also with the passport back at its sealer. */
  readonly suspended: boolean;
  /** Valid, and its owner was attested to be a person in this epoch. */
  readonly humanVerified: boolean;
  readonly epoch: number;
  /** The soul registry's version counter, which its owner's decisions are signed over. */
  readonly version: number;
  /** The same counter of the passport writer. */
  readonly passportVersion: number;
  /** Zero while nothing was sealed, like the Merkle root. */
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  /** Archive of the soul, 32 bytes; zero when the registry keeps none. */
  readonly archiveId: Hex;
  /** Archive of its DID document in this epoch, 32 bytes; zero for none. */
  readonly didArchiveId: Hex;
}

/** A passport as the chain has it. */
export interface ChainPassport {
  readonly id: bigint;
  /** Null when there is no such passport. */
  readonly owner: Address | null;
  /** The soul bound to it; burned souls are bound to nothing. */
  readonly soul: ChainSoul | null;
}

/** What one wallet holds, everything read in one block. */
export interface HolderState extends ChainPoint {
  /** How many passports the wallet owns in all. */
  readonly passportCount: bigint;
  /** The requested ones, in the order of the request, of any owner. */
  readonly passports: readonly ChainPassport[];
}

/** Reads one soul. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface ChainSouls {
  /**
   * The soul in the latest block, of any status; null for a token id that was never given.
   */
  soul(tokenId: bigint): Promise<ChainSoul | null>;
}

/** Reads passports and the souls bound to them. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface ChainPassports {
  /** One passport in the latest block. Concurrent reads share one call of the node. */
  passport(id: bigint): Promise<ChainPassport & ChainPoint>;
  /**
   * The named passports and how many `holder` owns in all: one call, one block. Default: the latest
   * block.
   */
  passportStates(
    holder: Address,
    passportIds: readonly bigint[],
    block?: bigint,
  ): Promise<HolderState>;
}

/** A soul whose sealer owns its passport and that no suspension ended: `owner` decides for it. */
export type OwnedSoul = ChainSoul & {
  readonly status: "PROVISIONAL" | "SEALED";
  readonly owner: Address;
};

/** An owned soul that is sealed. */
export type ActiveSoul = OwnedSoul & { readonly status: "SEALED" };

/** The account that decides for a soul now; null for a burned soul, and while it is suspended. */
export function ownerOf(soul: ChainSoul): Address | null {
  const { status, sealer, suspended, passportOwner } = soul;
  if (status === "BURNED") return null;
  return isWithSealer({ sealer, suspended, owner: passportOwner }) ? sealer : null;
}
