import fc from "fast-check";
import hre from "hardhat";
import { getContract, hexToBytes, parseAbi, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  buildFieldTree,
  canonicalJson,
  FIELDS,
  isValidName,
  NAME_PATTERN,
  proveField,
  soulHash,
} from "../../protocol/index.ts";
import { ccsf, salt } from "../protocol/arbitraries.ts";
import { fieldTreeVectors, nameVectors } from "../protocol/vectors.ts";

// Each check is one call to the chain: few runs here, many in the pure tests of either side.
const numRuns = process.env.CI ? 100 : 20;

const abi = parseAbi([
  "function verify(bytes32 root, uint256 index, bytes value, bytes32[] proof) pure returns (bool)",
  "function leafHash(uint256 index, bytes value, bytes32 blinding) pure returns (bytes32)",
  "function fieldName(uint256 index) pure returns (string)",
  "function isValidName(string name) pure returns (bool)",
  "function packName(string name) pure returns (bytes32)",
  "function unpackName(bytes32 word) pure returns (string)",
]);

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

async function deploy({ viem }: Connection) {
  const { address } = await viem.deployContract("FieldProofsHarness");
  return getContract({ address, abi, client: await viem.getPublicClient() });
}

let connection: Connection;
let libraries: Awaited<ReturnType<typeof deploy>>;

beforeAll(async () => {
  connection = await hre.network.create();
  libraries = await deploy(connection);
});

afterAll(async () => {
  await connection.close();
});

describe("FieldProofs agrees with protocol/", () => {
  it("on the names of the fields", async () => {
    const names = await Promise.all(
      FIELDS.map((_, index) => libraries.read.fieldName([BigInt(index)])),
    );
    expect(names).toStrictEqual([...FIELDS]);
  });

  it.each(fieldTreeVectors.cases)("on the vector $name", async ({ root, leaves, proofs }) => {
    for (const [at, { canonicalValue, merkleProof }] of proofs.entries()) {
      const value = toHex(canonicalValue);
      const [blinding = "0x"] = merkleProof;
      expect(await libraries.read.leafHash([BigInt(at), value, blinding])).toBe(leaves[at]?.hash);
      for (const index of FIELDS.keys()) {
        expect(await libraries.read.verify([root, BigInt(index), value, merkleProof])).toBe(
          index === at,
        );
      }
    }
  });

  it("on any soul", async () => {
    await fc.assert(
      fc.asyncProperty(ccsf, salt, fc.nat(11), fc.nat(159), async (soul, salt, index, byte) => {
        const tree = { ccsf: soul, salt, soulHash: soulHash(salt, soul) };
        const field = FIELDS[index] ?? "identity.name";
        const { root } = buildFieldTree(tree);
        const { value, merkleProof } = proveField(tree, field);
        const text = toHex(canonicalJson(value));
        const args = [root, BigInt(index), text, merkleProof] as const;
        expect(await libraries.read.verify([...args])).toBe(true);

        const broken = merkleProof.map((hash, part) => {
          if (part !== byte >> 5) return hash;
          const bytes = hexToBytes(hash);
          bytes[byte & 31] = (bytes[byte & 31] ?? 0) ^ 1;
          return toHex(bytes);
        });
        expect(await libraries.read.verify([root, BigInt(index), text, broken])).toBe(false);
        expect(await libraries.read.verify([root, BigInt(index), `${text}20`, merkleProof])).toBe(
          false,
        );
      }),
      { numRuns },
    );
  });
});

describe("Names agrees with protocol/", () => {
  it.each(nameVectors.valid)("on %j", async (name) => {
    expect(await libraries.read.isValidName([name])).toBe(true);
    const word = await libraries.read.packName([name]);
    expect(word).toBe(
      toHex(name, { size: 32 }).replace(/^0x(0*)(.*)$/, (_, zeros, rest) => `0x${rest}${zeros}`),
    );
    expect(await libraries.read.unpackName([word])).toBe(name);
  });

  it.each(nameVectors.invalid)("on refusing $name", async ({ name }) => {
    expect(await libraries.read.isValidName([name])).toBe(false);
  });

  it("on any string", async () => {
    const near = fc.stringMatching(/^(agent-)?[a-z0-9`{/:_-]{0,34}$/);
    const any = fc.oneof(near, fc.string({ unit: "binary" }), fc.stringMatching(NAME_PATTERN));
    await fc.assert(
      fc.asyncProperty(any, async (name) => {
        fc.pre(!/\p{Surrogate}/u.test(name));
        expect(await libraries.read.isValidName([name])).toBe(isValidName(name));
      }),
      { numRuns: numRuns * 5 },
    );
  });
});
