import type { Hex } from "viem";
import { zeroHash } from "viem";
import { type Field, rootOfProof } from "../../../protocol/index.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { DisclosureContext } from "./context.ts";

/** A value that is said to be a field's, and the proof of it. */
interface ClaimedField {
  readonly field: Field;
  readonly value: unknown;
  readonly merkleProof: readonly Hex[];
}

/**
 * Checks proofs of fields against the root that the chain has now, which is null while nothing was sealed.
 *
 * @throws ApiError NOT_FOUND, CHAIN_UNAVAILABLE, REGISTRY_PENDING
 */
export async function checkProofs(
  { index, souls }: DisclosureContext,
  agent: SoulRef,
  proofs: readonly ClaimedField[],
) {
  const { value } = await requireAgent(index, agent);
  const soul = await requireSoul(souls, value.soul.tokenId, "registered");
  const root = soul.soulMerkleRoot === zeroHash ? null : soul.soulMerkleRoot;
  const results = proofs.map((proof) => {
    /** Null for a proof of another form. */
    const computedRoot = rootOfProof(proof);
    const match = root !== null && computedRoot === root.toLowerCase();
    // Whether the value is the field's, and the soul may be relied on now.
    const valid = match && soul.validity === "valid";
    return { field: proof.field, valid, computedRoot, match };
  });
  return { agentName: soul.name, soulValidity: soul.validity, root, results };
}
