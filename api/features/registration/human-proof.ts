import type { Address, Hex } from "viem";
import { type HumanProof, humanProofHash, NO_HUMAN_PROOF } from "../../../protocol/index.ts";

/**
 * The signed fields that name one human proof, so that no other can be submitted. Null: no proof.
 */
export function signedProof(proof: HumanProof | null): {
  readonly humanVerifier: Address;
  readonly humanProofHash: Hex;
} {
  const { verifier, data } = proof ?? NO_HUMAN_PROOF;
  return { humanVerifier: verifier, humanProofHash: humanProofHash({ verifier, data }) };
}
