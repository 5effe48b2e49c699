import { createHmac } from "node:crypto";
import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { hmacSha256 } from "../../protocol/bytes.ts";
import {
  buildFieldTree,
  EMPTY_LEAF,
  FIELD_TREE_FORMAT,
  FIELDS,
  InvalidLeavesError,
  InvalidSaltError,
  LeafMismatchError,
  parseCcsfJson,
  proveField,
  proveFromLeaves,
  rootOfLeaves,
  rootOfProof,
  SoulHashMismatchError,
  soulHash,
  verifyFieldProof,
} from "../../protocol/index.ts";
import { ccsf, numRuns, salt } from "./arbitraries.ts";
import { fieldTreeVectors } from "./vectors.ts";

const [, full] = fieldTreeVectors.cases;
if (!full) throw new Error("The vectors are incomplete.");
const soul = parseCcsfJson(full.source);
const input = { ccsf: soul, salt: full.salt, soulHash: full.soulHash };

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("the vectors", () => {
  it("are of this format", () => {
    expect(FIELD_TREE_FORMAT).toBe(fieldTreeVectors.format);
    expect(EMPTY_LEAF).toBe(fieldTreeVectors.emptyLeaf);
  });

  it.each(fieldTreeVectors.cases)("give the hashes of $name", (vector) => {
    const ccsf = parseCcsfJson(vector.source);
    expect(soulHash(vector.salt, ccsf)).toBe(vector.soulHash);
    expect(buildFieldTree({ ccsf, salt: vector.salt, soulHash: vector.soulHash })).toStrictEqual({
      format: fieldTreeVectors.format,
      root: vector.root,
      leaves: vector.leaves,
    });
    for (const { field, value, merkleProof } of vector.proofs) {
      expect(
        proveField({ ccsf, salt: vector.salt, soulHash: vector.soulHash }, field),
      ).toStrictEqual({ field, value, merkleProof });
      expect(verifyFieldProof({ root: vector.root, field, value, merkleProof })).toBe(true);
    }
  });
});

describe("a field proof", () => {
  it("verifies for its field, value and root, and for nothing else", () => {
    fc.assert(
      fc.property(
        ccsf,
        salt,
        fc.nat(11),
        fc.nat(11),
        fc.nat(4),
        fc.nat(255),
        (soul, salt, at, otherAt, part, bit) => {
          const tree = { ccsf: soul, salt, soulHash: soulHash(salt, soul) };
          const { root, leaves } = buildFieldTree(tree);
          const field = FIELDS[at] ?? "identity.name";
          const other = FIELDS[otherAt] ?? "identity.name";
          const proof = proveField(tree, field);
          expect(proof).toStrictEqual(proveFromLeaves({ ...tree, leaves }, field, proof.value));
          expect(verifyFieldProof({ root, ...proof })).toBe(true);
          expect(verifyFieldProof({ root, ...proof, value: [proof.value] })).toBe(false);
          expect(verifyFieldProof({ root, ...proof, field: other })).toBe(other === field);

          const flip = (hash: Hex): Hex =>
            `0x${(BigInt(hash) ^ (1n << BigInt(bit))).toString(16).padStart(64, "0")}`;
          const merkleProof = proof.merkleProof.map((hash, i) => (i === part ? flip(hash) : hash));
          expect(verifyFieldProof({ root, ...proof, merkleProof })).toBe(false);
          expect(verifyFieldProof({ ...proof, root: flip(root) })).toBe(false);
        },
      ),
      { numRuns: Math.ceil(numRuns / 5) },
    );
  });

  it.each([
    ["an unknown field", { field: "identity.age" }],
    ["an inherited name as field", { field: "toString" }],
    ["no hashes", { merkleProof: [] }],
    ["a hash too few", { merkleProof: full.proofs[0]?.merkleProof.slice(0, 4) ?? [] }],
    ["a hash too many", { merkleProof: [...(full.proofs[0]?.merkleProof ?? []), full.root] }],
    ["a text beside its hashes", { merkleProof: [...(full.proofs[0]?.merkleProof ?? []), "0x"] }],
    ["a short hash", { merkleProof: ["0x00", ...(full.proofs[0]?.merkleProof.slice(1) ?? [])] }],
    [
      "something else among the hashes",
      { merkleProof: [null, ...(full.proofs[0]?.merkleProof.slice(1) ?? [])] },
    ],
    ["a value without JSON form", { value: { a: 1n } }],
    ["a value that is no Unicode", { value: "\ud800" }],
  ])("with %s is wrong, without an error", (_, change) => {
    const first = full.proofs[0];
    if (!first) throw new Error("The vectors are incomplete.");
    expect(verifyFieldProof({ root: full.root, ...first })).toBe(true);
    expect(verifyFieldProof({ root: full.root, ...first, ...change })).toBe(false);
    expect(rootOfProof({ ...first, ...change })).toBeNull();
  });

  it("is refused for an invalid root", () => {
    const first = full.proofs[0];
    if (!first) throw new Error("The vectors are incomplete.");
    expect(verifyFieldProof({ ...first, root: "0x" })).toBe(false);
  });

  it("does not reveal a neighbour's value: equal values have different leaves", () => {
    const minimal = fieldTreeVectors.cases[0];
    const hashes = minimal?.leaves.map(({ hash }) => hash) ?? [];
    expect(hashes.length).toBe(12);
    expect(new Set(hashes).size).toBe(12);
    const otherSalt = soulHash(full.salt, soul);
    const other = buildFieldTree({
      ccsf: soul,
      salt: otherSalt,
      soulHash: soulHash(otherSalt, soul),
    });
    expect(other.leaves.filter(({ hash }, i) => hash === full.leaves[i]?.hash)).toStrictEqual([]);
  });
});

describe("mismatched values are refused", () => {
  it("a soul hash of another soul", () => {
    const error = thrownBy(() => buildFieldTree({ ...input, soulHash: full.root }));
    expect(error).toBeInstanceOf(SoulHashMismatchError);
    expect(error).toMatchObject({
      code: "soul_hash_mismatch",
      expected: full.root,
      computed: full.soulHash,
    });
  });

  it("a salt of another length, without revealing it", () => {
    const error = thrownBy(() => soulHash("0x1234", soul));
    expect(error).toBeInstanceOf(InvalidSaltError);
    expect(error).toMatchObject({ code: "invalid_salt" });
    expect(String(error)).not.toContain("1234");
  });

  it("a value that is not the leaf's", () => {
    const error = thrownBy(() =>
      proveFromLeaves({ ...input, leaves: full.leaves }, "identity.name", "Eve"),
    );
    expect(error).toBeInstanceOf(LeafMismatchError);
    expect(error).toMatchObject({
      code: "leaf_mismatch",
      field: "identity.name",
      expectedLeafHash: full.leaves[0]?.hash,
    });
    expect((error as LeafMismatchError).computedLeafHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect((error as LeafMismatchError).computedLeafHash).not.toBe(full.leaves[0]?.hash);
  });

  const leaf = full.leaves[3];
  if (!leaf) throw new Error("The vectors are incomplete.");
  it.each([
    ["none", [], 0],
    ["one missing", full.leaves.slice(0, 11), 11],
    ["one too many", [...full.leaves, leaf], 12],
    ["two swapped", full.leaves.with(3, leaf).with(4, leaf), 4],
    ["a wrong index", full.leaves.with(3, { ...leaf, index: 4 }), 3],
    ["a wrong field", full.leaves.with(3, { ...leaf, field: "soul.documents" }), 3],
    ["a short hash", full.leaves.with(3, { ...leaf, hash: "0x12" }), 3],
  ] as const)("leaves with %s", (_, leaves, index) => {
    const error = thrownBy(() => rootOfLeaves(leaves));
    expect(error).toBeInstanceOf(InvalidLeavesError);
    expect(error).toMatchObject({ code: "invalid_leaves", index });
  });

  it("but the case of hexadecimal digits does not matter", () => {
    const upper = full.leaves.map((one) => ({
      ...one,
      hash: `0x${one.hash.slice(2).toUpperCase()}` as Hex,
    }));
    expect(rootOfLeaves(upper)).toBe(full.root);
  });
});

describe("hmacSha256", () => {
  it.each([0, 63, 64, 65])("agrees with the platform for a key of %d bytes", (length) => {
    const key = new Uint8Array(length).fill(7);
    const expected = createHmac("sha256", key).update("message").digest();
    expect(Buffer.from(hmacSha256(key, Buffer.from("message")))).toStrictEqual(expected);
  });

  it("agrees with the platform for keys and messages of any length", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 130 }),
        fc.uint8Array({ maxLength: 130 }),
        (key, message) => {
          const expected = createHmac("sha256", key).update(message).digest();
          expect(Buffer.from(hmacSha256(key, message))).toStrictEqual(expected);
        },
      ),
      { numRuns },
    );
  });
});
