import { readFileSync } from "node:fs";
import type { Hex } from "viem";
import type { Field, FieldLeaf, FieldValue, InvalidNameReason } from "../../protocol/index.ts";

function load<Vectors>(file: string): Vectors {
  return JSON.parse(readFileSync(new URL(`./vectors/${file}`, import.meta.url), "utf8"));
}

/**
 * Computed from the written rules, independent of the code under test. They never change; a new
 * format gets new ones.
 */
export const fieldTreeVectors = load<{
  format: string;
  emptyLeaf: Hex;
  cases: {
    name: string;
    salt: Hex;
    /** A plausible CCSF document, before normalising. */
    source: string;
    canonical: string;
    soulHash: Hex;
    leaves: FieldLeaf[];
    root: Hex;
    proofs: { field: Field; value: FieldValue; canonicalValue: string; merkleProof: Hex[] }[];
  }[];
}>("field-tree.json");

export const nameVectors = load<{
  valid: string[];
  invalid: { name: string; reason: InvalidNameReason }[];
}>("names.json");

/** Checked by eye once, then fixed: a stored avatar is found by its bytes. */
export const avatarVectors = load<{
  format: string;
  cases: { name: string; soulHash: Hex; svg: string }[];
}>("avatar.json");

/** Computed with Node's OpenSSL, which the code under test does not use. */
export const disclosureEncryptionVectors = load<{
  scheme: string;
  cases: {
    name: string;
    requestId: string;
    payload: string;
    recipientPrivateKey: Hex;
    recipientPublicKey: Hex;
    recipientPublicKeyUncompressed: Hex;
    ephemeralPrivateKey: Hex;
    ephemeralPublicKey: Hex;
    nonce: Hex;
    sharedSecret: Hex;
    key: Hex;
    ciphertext: Hex;
  }[];
}>("disclosure-encryption.json");
