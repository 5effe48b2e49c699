import type { Abi, Hex } from "viem";
import { describe, expect, it } from "vitest";
import { contractSizes, largestSizes, sizeProblems } from "../../scripts/checks/contract-sizes.ts";

/** A compiled contract of these sizes in bytes. */
const contract = (contractName: string, runtime: number, creation: number, abi: Abi = []) => ({
  contractName,
  abi,
  deployedBytecode: `0x${"00".repeat(runtime)}` as Hex,
  bytecode: `0x${"00".repeat(creation)}` as Hex,
});
const constructorWith = (...types: string[]): Abi => [
  {
    type: "constructor",
    stateMutability: "nonpayable",
    inputs: types.map((type) => ({ name: "", type })),
  },
];

describe("contract sizes", () => {
  it("counts the constructor's arguments with the creation code", () => {
    const sized = contract("Sized", 10, 20, constructorWith("address", "uint48", "string"));

    expect(contractSizes([sized])).toEqual([
      { contractName: "Sized", runtime: 10, init: 20 + 32 + 32 + 128 },
    ]);
  });

  it("accepts code and creation code up to 93 % of the limits, and names the largest of each", () => {
    const sizes = contractSizes([
      contract("Code", 22_855, 30_000),
      contract("Creation", 100, 45_711),
    ]);

    expect(sizeProblems(sizes)).toBe("");
    expect(largestSizes(sizes)).toBe(
      "Largest code: Code 22,855 bytes (93.0 %); largest creation code: Creation 45,711 bytes (93.0 %). At most 93 % are allowed.",
    );
  });

  it("refuses one byte more of either, and shows every contract with the largest first", () => {
    const sizes = contractSizes([
      contract("Small", 100, 200),
      contract("Code", 22_856, 30_000),
      contract("Creation", 1_000, 45_712),
    ]);

    expect(sizeProblems(sizes)).toBe(
      [
        "Too large: Code, Creation. A contract may use 93 % of what the chain accepts: 22,855 bytes of code and 45,711 of creation code. Move code into another contract.",
        "contract    code  of limit  creation  of limit",
        "Code      22,856    93.0 %    30,000    61.0 %  too large",
        "Creation   1,000     4.1 %    45,712    93.0 %  too large",
        "Small        100     0.4 %       200     0.4 %",
      ].join("\n"),
    );
  });

  it("counts an argument that crosses the limit", () => {
    const large = contract("Large", 100, 45_711, constructorWith("address"));

    expect(sizeProblems(contractSizes([large]))).toContain("Too large: Large.");
  });

  it("refuses to pass when nothing was compiled", () => {
    expect(sizeProblems([])).toBe("There are no compiled contracts.");
  });
});
