import { readFile } from "node:fs/promises";
import fc from "fast-check";
import hre from "hardhat";
import { type Abi, type AbiFunction, encodeFunctionData, type Hex, hashStruct, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSPORT_WRITER_TYPES, SOUL_REGISTRY_TYPES } from "../../protocol/index.ts";

// The hash that an owner's wallet computes, from protocol/, equals the contract's hash.

const TYPES = { ...SOUL_REGISTRY_TYPES, ...PASSPORT_WRITER_TYPES };
type TypeName = keyof typeof TYPES;

/**
 * Types that the library hashes as a whole: entries are part of a batch, and Cancel is hashed where
 * it is checked.
 */
const HASHED = (Object.keys(TYPES) as TypeName[]).filter(
  (name) => name !== "BatchEntry" && name !== "Cancel",
);

const numRuns = process.env.CI ? 50 : 10;

let connection: Awaited<ReturnType<typeof hre.network.create>>;
let abi: Abi;
let address: Hex;

beforeAll(async () => {
  connection = await hre.network.create();
  ({ address } = await connection.viem.deployContract("SoulHasher"));
  const artifact = "../../artifacts/contracts/mocks/SoulHasher.sol/SoulHasher.json";
  ({ abi } = JSON.parse(await readFile(new URL(artifact, import.meta.url), "utf8")) as {
    abi: Abi;
  });
});

afterAll(async () => {
  await connection.close();
});

/** Any value of an EIP-712 type. */
function anyOf(type: string): fc.Arbitrary<unknown> {
  if (type.endsWith("[]")) return fc.array(anyOf(type.slice(0, -2)), { maxLength: 3 });
  if (type in TYPES) return structOf(type as TypeName);
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value));
  switch (type) {
    case "string":
      return fc.string({ unit: "grapheme", maxLength: 40 });
    case "bytes":
      return fc.uint8Array({ maxLength: 70 }).map((value) => toHex(value));
    case "bytes32":
      return bytes(32);
    case "address":
      return bytes(20);
    case "bool":
      return fc.boolean();
    case "uint8":
      return fc.integer({ min: 0, max: 4 });
    case "uint16":
      return fc.integer({ min: 0, max: 65_535 });
    case "uint32":
      return fc.integer({ min: 0, max: 4_294_967_295 });
    case "uint64":
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case "uint256":
      return fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    default:
      throw new Error(`No values of ${type}`);
  }
}

function structOf(name: TypeName): fc.Arbitrary<Record<string, unknown>> {
  const fields = TYPES[name];
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, anyOf(field.type)])));
}

async function hashOnChain(name: TypeName, message: Record<string, unknown>): Promise<Hex> {
  const home = name in SOUL_REGISTRY_TYPES ? "ISoulRegistry" : "IPassportWriter";
  const overload = abi.find(
    (item): item is AbiFunction =>
      item.type === "function" && item.inputs[0]?.internalType === `struct ${home}.${name}`,
  );
  if (!overload) throw new Error(`The library does not hash ${name}`);
  const client = await connection.viem.getPublicClient();
  const { data } = await client.call({
    to: address,
    data: encodeFunctionData({ abi: [overload], functionName: "hash", args: [message] }),
  });
  return data ?? "0x";
}

describe("the contract and protocol/ hash the same", () => {
  it.each(HASHED)("%s", async (name) => {
    await fc.assert(
      fc.asyncProperty(structOf(name), async (message) => {
        const offChain = hashStruct({
          data: message,
          primaryType: name,
          types: TYPES as unknown as Parameters<typeof hashStruct>[0]["types"],
        });
        expect(await hashOnChain(name, message)).toBe(offChain);
      }),
      { numRuns },
    );
  });
});
