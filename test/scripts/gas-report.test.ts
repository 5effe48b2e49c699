import { parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import {
  compareGas,
  type GasReport,
  reportOf,
  unmeasuredFunctions,
} from "../../scripts/generate/gas-report.ts";

const vault = (gas: number, spend: number, calls = 1): GasReport => ({
  Vault: {
    deployment: { gas, bytes: 1_000 },
    functions: { spend: { min: spend, median: spend, max: spend, calls } },
  },
});

describe("compareGas", () => {
  it("accepts a change of 1 %, in either direction", () => {
    expect(compareGas(vault(10_000, 2_000), vault(10_100, 1_980))).toEqual([]);
  });

  it("names what rose and what fell by more", () => {
    expect(compareGas(vault(10_000, 2_000), vault(10_101, 1_979))).toEqual([
      "Vault (deployment) was 10000 and is 10101 (+1.0 %).",
      "Vault.spend (least) was 2000 and is 1979 (-1.1 %).",
      "Vault.spend (median) was 2000 and is 1979 (-1.1 %).",
      "Vault.spend (most) was 2000 and is 1979 (-1.1 %).",
    ]);
  });

  it("names what is new and what is gone", () => {
    const report: GasReport = { Vault: { deployment: null, functions: {} } };
    expect(compareGas(report, vault(7, 5))).toEqual([
      "Vault (bytes) is new: 1000.",
      "Vault (deployment) is new: 7.",
      "Vault.spend (least) is new: 5.",
      "Vault.spend (median) is new: 5.",
      "Vault.spend (most) is new: 5.",
    ]);
    expect(compareGas(vault(7, 5), {})).toContain("Vault.spend (median) is no longer measured.");
  });

  it("ignores how often a function was measured", () => {
    expect(compareGas(vault(1, 2), vault(1, 2, 99))).toEqual([]);
  });

  it("compares the least and the most, not only the median", () => {
    const spread = (min: number, max: number): GasReport => ({
      Vault: { deployment: null, functions: { spend: { min, median: 500, max, calls: 3 } } },
    });
    expect(compareGas(spread(100, 900), spread(102, 900))).toEqual([
      "Vault.spend (least) was 100 and is 102 (+2.0 %).",
    ]);
    expect(compareGas(spread(100, 900), spread(100, 1_000))).toEqual([
      "Vault.spend (most) was 900 and is 1000 (+11.1 %).",
    ]);
  });
});

describe("reportOf", () => {
  it("keeps the product's contracts, sorted, with what the check compares", () => {
    const stats = { min: 1, max: 3, avg: 2.2, median: 2, count: 4 };
    const contract = (path: string, contractName: string) => ({
      sourceName: path,
      contractName,
      deployment: { ...stats, runtimeSize: 10 },
      functions: { b: stats, a: stats },
    });
    const product = {
      deployment: { gas: 2, bytes: 10 },
      functions: {
        a: { min: 1, median: 2, max: 3, calls: 4 },
        b: { min: 1, median: 2, max: 3, calls: 4 },
      },
    };
    const report = reportOf({
      contracts: {
        1: contract("contracts/Vault.sol", "Vault"),
        2: contract("contracts/verifiers/Adapter.sol", "Adapter"),
        3: contract("contracts/mocks/Mock.sol", "Mock"),
        4: contract("contracts/erc8004/IdentityRegistry.sol", "IdentityRegistry"),
        5: contract("test/contracts/Vault.t.sol", "VaultTest"),
        7: contract("contracts/examples/Shop.sol", "Shop"),
        6: {
          sourceName: "contracts/Made.sol",
          contractName: "Made",
          deployment: null,
          functions: null,
        },
      },
    });

    expect(report).toEqual({
      Adapter: product,
      Made: { deployment: null, functions: {} },
      Vault: product,
    });
    expect(Object.keys(report)).toEqual(["Adapter", "Made", "Vault"]);
    expect(Object.keys(report.Vault?.functions ?? {})).toEqual(["a", "b"]);
  });
});

describe("unmeasuredFunctions", () => {
  const vaultContract = {
    contractName: "Vault",
    abi: parseAbi([
      "function spend(uint256 amount)",
      "function move(address to)",
      "function move(address to, bytes data)",
      "event Spent()",
      "error Empty()",
    ]),
  };
  const measured = (...names: string[]): GasReport => ({
    Vault: {
      deployment: null,
      functions: Object.fromEntries(
        names.map((name) => [name, { min: 1, median: 1, max: 1, calls: 1 }]),
      ),
    },
  });

  it("is empty when every function, of every overload, is measured or excused", () => {
    const report = measured("spend", "move(address)");
    const excused = { Vault: { "move(address,bytes)": "always reverts" } };
    expect(unmeasuredFunctions([vaultContract], report, excused)).toEqual([]);
  });

  it("names every other function, also of a contract without any measurement", () => {
    const where = "is in no scenario of test/contracts/gas/*.t.sol.";
    expect(unmeasuredFunctions([vaultContract], measured("move(address)"), {})).toEqual([
      `Vault.spend ${where}`,
      `Vault.move(address,bytes) ${where}`,
    ]);
    expect(unmeasuredFunctions([vaultContract], {}, {})).toHaveLength(3);
  });

  it("names an excuse for a measured function, and for one that does not exist", () => {
    const report = measured("spend", "move(address)", "move(address,bytes)");
    const excused = { Vault: { spend: "?", gone: "?" }, Other: { spend: "?" } };
    expect(unmeasuredFunctions([vaultContract], report, excused)).toEqual([
      "Vault.spend is exempt from measuring, but is measured or gone.",
      "Vault.gone is exempt from measuring, but is measured or gone.",
      "Other.spend is exempt from measuring, but is measured or gone.",
    ]);
  });
});
