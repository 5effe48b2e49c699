import { SimpleMerkleTree, StandardMerkleTree } from "@openzeppelin/merkle-tree";
import fc from "fast-check";
import type { Hex } from "viem";
import { bytesToHex, concatHex, hexToBytes, keccak256, stringToHex, toHex } from "viem";
import { describe, expect, it } from "vitest";
import {
  buildChronicleTree,
  type ChronicleLeafInput,
  chronicleContentHash,
  chronicleLeaf,
  chronicleRecordBytes,
  chronicleRootOf,
  InvalidBatchLeavesError,
  operatorChangeHash,
} from "../../protocol/index.ts";

const hash32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes));
const leafInput: fc.Arbitrary<ChronicleLeafInput> = fc.record({
  tokenId: fc.bigInt({ min: 1n, max: 2n ** 64n }),
  chronicleId: fc.bigInt({ min: 1n, max: 2n ** 32n }),
  category: fc.string({ maxLength: 12 }),
  changeType: fc.string({ maxLength: 12 }),
  contentHash: hash32,
  timestamp: fc.bigInt({ min: 0n, max: 2n ** 40n }),
});
const batch = fc.uniqueArray(leafInput, {
  minLength: 1,
  maxLength: 40,
  selector: (input) => `${input.tokenId}/${input.chronicleId}`,
});

const tree = (leaves: readonly Hex[]) => buildChronicleTree(hexToBytes(concatHex([...leaves])));

describe("the tree of a batch", () => {
  it("proves every leaf of every batch, exactly as OpenZeppelin's standard tree does", () => {
    fc.assert(
      fc.property(batch, (inputs) => {
        const reference = StandardMerkleTree.of(
          inputs.map((input) => [
            input.tokenId.toString(),
            input.chronicleId.toString(),
            keccak256(stringToHex(input.category)),
            keccak256(stringToHex(input.changeType)),
            input.contentHash,
            input.timestamp.toString(),
          ]),
          ["uint256", "uint256", "bytes32", "bytes32", "bytes32", "uint256"],
        );
        const leaves = inputs.map(chronicleLeaf);
        const built = tree(leaves);

        expect(built.root).toBe(reference.root);
        expect(built.leafCount).toBe(inputs.length);
        for (let position = 0; position < built.leafCount; position += 1) {
          const leaf = built.leaf(position);
          const proof = built.proof(position);
          expect(chronicleRootOf(leaf, proof)).toBe(built.root);
          expect(proof).toEqual(reference.getProof(leaves.indexOf(leaf)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("proves nothing that is not in the batch", () => {
    fc.assert(
      fc.property(batch, leafInput, fc.nat(), (inputs, stranger, pick) => {
        const built = tree(inputs.map(chronicleLeaf));
        const leaf = chronicleLeaf(stranger);
        fc.pre(!inputs.map(chronicleLeaf).includes(leaf));
        const proof = built.proof(pick % built.leafCount);
        expect(chronicleRootOf(leaf, proof)).not.toBe(built.root);
      }),
      { numRuns: 60 },
    );
  });

  it("proves no leaf whose proof or content has one changed bit", () => {
    fc.assert(
      fc.property(batch, fc.nat(), fc.nat(255), (inputs, pick, bit) => {
        const built = tree(inputs.map(chronicleLeaf));
        const position = pick % built.leafCount;
        const flip = (hash: Hex) => toHex(BigInt(hash) ^ (1n << BigInt(bit)), { size: 32 });
        const leaf = built.leaf(position);
        const proof = built.proof(position);
        expect(chronicleRootOf(flip(leaf), proof)).not.toBe(built.root);
        for (const step of proof.keys()) {
          const changed = proof.map((hash, index) => (index === step ? flip(hash) : hash));
          expect(chronicleRootOf(leaf, changed)).not.toBe(built.root);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("does not depend on the order in which the leaves were read", () => {
    fc.assert(
      fc.property(batch, (inputs) => {
        const leaves = inputs.map(chronicleLeaf);
        expect(tree([...leaves].reverse()).root).toBe(SimpleMerkleTree.of(leaves).root);
      }),
      { numRuns: 20 },
    );
  });

  it("refuses an invalid batch", () => {
    const leaf = `0x${"ab".repeat(32)}` as const;
    expect(() => tree([])).toThrow(
      new InvalidBatchLeavesError("A batch has at least one leaf, of 32 bytes each."),
    );
    expect(() => buildChronicleTree(new Uint8Array(33))).toThrow(InvalidBatchLeavesError);
    expect(() => tree([leaf, leaf])).toThrow(
      new InvalidBatchLeavesError(`The leaf ${leaf} occurs twice.`),
    );
    expect(() => tree([leaf]).proof(1)).toThrow(
      new InvalidBatchLeavesError("There is no leaf 1 among 1."),
    );
  });

  it("returns false for a malformed proof", () => {
    const leaf = `0x${"ab".repeat(32)}` as const;
    expect(chronicleRootOf(leaf, ["0x12"])).toBeNull();
    expect(chronicleRootOf(leaf, [null])).toBeNull();
    expect(chronicleRootOf("0x12", [])).toBeNull();
    expect(chronicleRootOf(leaf, [])).toBe(leaf);
  });
});

describe("a chronicle's hashes", () => {
  const record = {
    chainId: 31337,
    soulRegistry: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    tokenId: 7n,
    epoch: 2,
    category: "technical",
    changeType: "model_upgrade",
    data: { title: "New model", b: [1, 2], a: null },
  } as const;

  it("are pinned", () => {
    const bytes = chronicleRecordBytes(record);
    expect(new TextDecoder().decode(bytes)).toBe(
      '{"category":"technical","chainId":31337,"changeType":"model_upgrade","data":{"a":null,"b":[1,2],"title":"New model"},"epoch":2,"format":"svc-chronicle/1","soulRegistry":"0x5FbDB2315678afecb367f032d93F642f64180aa3","tokenId":"7"}',
    );
    const contentHash = chronicleContentHash(bytes);
    expect(contentHash).toMatchInlineSnapshot(
      `"0x320d812932b25377c6641c0d176c2a9478febeeb648b372c8f843bc35c09f8f1"`,
    );
    expect(
      chronicleLeaf({ ...record, chronicleId: 3n, contentHash, timestamp: 1_770_000_000n }),
    ).toMatchInlineSnapshot(`"0xefb63a9a478c82525d614c72e0f79f872101ee38c554ef9b7c3d1dbc4e77d4df"`);
    expect(operatorChangeHash("0x5FbDB2315678afecb367f032d93F642f64180aa3")).toMatchInlineSnapshot(
      `"0x44e659e60b21cc961f64ad47f20523c1d329d4bbda245ef3940a76dc89d0911b"`,
    );
  });
});
