import type { Hex } from "viem";
import { zeroHash } from "viem";
import { type Field, rootOfProof } from "../../../protocol/index.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { ValidityStatus } from "../../soul/validity.ts";

/** A value that is said to be a field's, and the proof of it. */
export interface ClaimedField {
  readonly field: Field;
  readonly value: unknown;
  readonly merkleProof: readonly Hex[];
}

export interface CheckedField {
  readonly field: Field;
  /** Whether the value is the field's, and the soul may be relied on now. */
  readonly valid: boolean;
  /** Null for a proof of another form. */
  readonly computedRoot: Hex | null;
  /** Whether the computed root is the one on chain. */
  readonly match: boolean;
}

export interface CheckedProofs {
  readonly agentName: string;
  readonly soulValidity: ValidityStatus;
  /** Null while nothing was sealed. */
  readonly root: Hex | null;
  readonly results: readonly CheckedField[];
}

export type ProofChecks = ReturnType<typeof createProofChecks>;

/** Checks proofs of fields against the root that the chain has now. */
export function createProofChecks(deps: {
  readonly index: IndexedAgents;
  readonly souls: ChainSouls;
}) {
  return {
    /** @throws ApiError NOT_FOUND, CHAIN_UNAVAILABLE, REGISTRY_PENDING */
    async check(agent: SoulRef, proofs: readonly ClaimedField[]): Promise<CheckedProofs> {
      const { value } = await requireAgent(deps.index, agent);
      const soul = await requireSoul(deps.souls, value.soul.tokenId, "registered");
      const root = soul.soulMerkleRoot === zeroHash ? null : soul.soulMerkleRoot;
      const results = proofs.map((proof): CheckedField => {
        const computedRoot = rootOfProof(proof);
        const match = root !== null && computedRoot === root.toLowerCase();
        const valid = match && soul.validity === "valid";
        return { field: proof.field, valid, computedRoot, match };
      });
      return { agentName: soul.name, soulValidity: soul.validity, root, results };
    },
  };
}
