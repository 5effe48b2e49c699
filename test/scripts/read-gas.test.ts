import { parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import type { GasReport } from "../../scripts/generate/gas-report.ts";
import {
  guideWithReadGas,
  type ReadableContract,
  ReadGasError,
  readGasTable,
} from "../../scripts/generate/read-gas.ts";

const contracts: ReadableContract[] = [
  {
    contractName: "Vault",
    interfaceAbi: parseAbi([
      "function pay() external",
      "function costly() view returns (uint256)",
      "function cheap() pure returns (uint256)",
    ]),
  },
];
const gas = (max: number) => ({ min: 1, median: 2, max, calls: 3 });

describe("readGasTable", () => {
  it("lists the reads of each contract by the most gas that was measured", () => {
    const report: GasReport = {
      Vault: {
        deployment: null,
        functions: { pay: gas(9), costly: gas(14_386), cheap: gas(300) },
      },
    };
    expect(readGasTable(contracts, report)).toBe(
      [
        "| contract | read | gas |",
        "|---|---|---|",
        "| `Vault` | `cheap` | 300 |",
        "| `Vault` | `costly` | 14,386 |",
      ].join("\n"),
    );
  });

  it("names every read without a number", () => {
    const report: GasReport = { Vault: { deployment: null, functions: { pay: gas(9) } } };
    expect(() => readGasTable(contracts, report)).toThrow(
      new ReadGasError("docs/gas.json does not hold Vault.cheap, Vault.costly. Run npm run gas."),
    );
  });
});

describe("guideWithReadGas", () => {
  it("shows what canSpend costs", () => {
    expect(guideWithReadGas().content).toMatch(/\| `AllowanceVault` \| `canSpend` \| [\d,]+ \|/);
  });
});
