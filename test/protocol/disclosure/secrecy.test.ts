import fc from "fast-check";
import { concatHex, type Hex, numberToHex, sha256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import {
  AGENT_TYPES,
  buildFieldTree,
  FIELDS,
  type Field,
  fieldIndex,
  fieldValue,
  leafHash,
  proveField,
  soulHash,
  verifyFieldProof,
} from "../../../protocol/index.ts";
import { canonicalJson } from "../../../protocol/json.ts";
import { ccsf, numRuns, salt } from "../arbitraries.ts";

// What the proofs of some fields reveal of a field that was not disclosed. Its value is one of
// five, so that an attacker can try all.

const SECRET: Field = "identity.agent_type";
const OTHERS = FIELDS.filter((field) => field !== SECRET);

const content = (value: unknown): Hex =>
  sha256(concatHex([stringToHex(SECRET), "0x00", stringToHex(canonicalJson(value))]));

/** Leaves of a tree that would not be blinded, and of one that is, with any known blinding. */
function guesses(value: unknown, known: readonly Hex[]): Hex[] {
  const index = numberToHex(fieldIndex(SECRET), { size: 1 });
  const unblinded = sha256(concatHex(["0x00", index, content(value)]));
  const blindings: readonly Hex[] = [...known, `0x${"00".repeat(32)}`, content(value)];
  return [
    content(value),
    unblinded,
    ...blindings.map((blinding) => leafHash({ field: SECRET, value, blinding })),
  ];
}

/** The values whose leaf, however it is computed, is among the hashes that the attacker has. */
const found = (hashes: readonly Hex[]) =>
  AGENT_TYPES.filter((value) => guesses(value, hashes).some((guess) => hashes.includes(guess)));

describe("the proofs of all other fields", () => {
  it("reveal nothing of a field with five possible values", () => {
    fc.assert(
      fc.property(ccsf, salt, (soul, secret) => {
        const input = { ccsf: soul, salt: secret, soulHash: soulHash(secret, soul) };
        const proofs = OTHERS.map((field) => proveField(input, field));
        expect(found(proofs.flatMap(({ merkleProof }) => merkleProof))).toEqual([]);
      }),
      { numRuns: Math.min(numRuns, 50) },
    );
  });

  it("would reveal it in a tree without blindings", () => {
    fc.assert(
      fc.property(ccsf, (soul) => {
        const value = fieldValue(soul, SECRET);
        const index = numberToHex(fieldIndex(SECRET), { size: 1 });
        // The neighbour of the name's leaf, which its proof holds.
        const leaf = sha256(concatHex(["0x00", index, content(value)]));
        expect(found([leaf])).toEqual([value]);
      }),
      { numRuns: Math.min(numRuns, 50) },
    );
  });
});

describe("every field of every soul", () => {
  it("is proved by its own proof, and by no other value, field or root", () => {
    fc.assert(
      fc.property(ccsf, salt, fc.constantFrom(...FIELDS), fc.nat(4), (soul, secret, field, at) => {
        const hash = soulHash(secret, soul);
        const { value, merkleProof } = proveField(
          { ccsf: soul, salt: secret, soulHash: hash },
          field,
        );
        const { root } = buildFieldTree({ ccsf: soul, salt: secret, soulHash: hash });
        const good = { root, field, value, merkleProof };
        expect(verifyFieldProof(good)).toBe(true);
        const next = FIELDS[(fieldIndex(field) + 1) % FIELDS.length] as Field;
        const changed = merkleProof.map((one, index) => (index === at ? sha256(one) : one));
        for (const wrong of [
          { value: [value] },
          { field: next },
          { merkleProof: changed },
          { root: sha256(root) },
        ]) {
          expect(verifyFieldProof({ ...good, ...wrong })).toBe(false);
        }
      }),
      { numRuns: Math.min(numRuns, 50) },
    );
  });
});
