import { type Address, encodeAbiParameters, type Hex } from "viem";
import { type HumanProof, humanProofHash, NO_HUMAN_PROOF } from "../../../protocol/index.ts";

/** A proof of World ID 3.0, as its widget gives it. Every number is an unsigned integer of 256 bits. */
export interface WorldIdProof {
  readonly merkleRoot: bigint;
  readonly nullifierHash: bigint;
  /** Eight of them. */
  readonly proof: readonly bigint[];
}

const ENCODING = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256[8]" }] as const;

type EightNumbers = readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];

/** The proof as the adapter WorldIdVerifier takes it: 320 bytes. */
export function encodeWorldIdProof({ merkleRoot, nullifierHash, proof }: WorldIdProof): Hex {
  if (proof.length !== 8) throw new Error("A proof of World ID has eight numbers.");
  return encodeAbiParameters(ENCODING, [merkleRoot, nullifierHash, proof as EightNumbers]);
}

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
