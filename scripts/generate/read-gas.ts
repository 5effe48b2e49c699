import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Abi } from "viem";
import { type Artifact, productContracts, ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";
import { GAS_FILE, type GasReport } from "./gas-report.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGenerated } from "./marked-text.ts";

// The table of docs/contracts-guide.md that says what each read costs. It is made from docs/gas.json, so that it cannot differ.

const GUIDE_FILE = "docs/contracts-guide.md";

/** A contract and the ABI of its interface: the functions that integrators call. */
export interface ReadableContract {
  readonly contractName: string;
  readonly interfaceAbi: Abi;
}

/** A read has no gas number. */
export class ReadGasError extends Error {
  override readonly name = "ReadGasError";
}

/** The guide with the current table. Needs compiled contracts. */
export function guideWithReadGas(): GeneratedFile {
  const guide = readFileSync(join(ROOT, GUIDE_FILE), "utf8");
  const table = readGasTable(readableContracts(), readJson<GasReport>(join(ROOT, GAS_FILE)));
  return { path: GUIDE_FILE, content: withGenerated(guide, "docs/gas.json", table) };
}

/**
 * One row for each view or pure function of each interface, in the order of the contracts and then by gas. The number is the most that was
 * measured.
 *
 * @throws ReadGasError naming every read that is not in the report.
 */
export function readGasTable(contracts: readonly ReadableContract[], report: GasReport): string {
  const rows = contracts.flatMap(({ contractName, interfaceAbi }) =>
    interfaceAbi
      .filter((item) => item.type === "function")
      .filter(({ stateMutability }) => stateMutability === "view" || stateMutability === "pure")
      .map(({ name }) => ({
        contractName,
        name,
        gas: report[contractName]?.functions[name]?.max,
      }))
      .sort((a, b) => (a.gas ?? 0) - (b.gas ?? 0) || (a.name < b.name ? -1 : 1)),
  );
  const missing = rows.filter(({ gas }) => gas === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ contractName, name }) => `${contractName}.${name}`).join(", ");
    throw new ReadGasError(`${GAS_FILE} does not hold ${names}. Run npm run gas.`);
  }
  return [
    "| contract | read | gas |",
    "|---|---|---|",
    ...rows.map(
      ({ contractName, name, gas }) =>
        `| \`${contractName}\` | \`${name}\` | ${gas?.toLocaleString("en-US")} |`,
    ),
  ].join("\n");
}

function readableContracts(): ReadableContract[] {
  const interfaces = new Map(
    globSync("artifacts/contracts/interfaces/*.sol/*.json", { cwd: ROOT }).map((path) => [
      basename(path, ".json"),
      readJson<Artifact>(join(ROOT, path)).abi,
    ]),
  );
  return productContracts().flatMap(({ contractName }) => {
    const interfaceAbi = interfaces.get(`I${contractName}`);
    return interfaceAbi === undefined ? [] : [{ contractName, interfaceAbi }];
  });
}
