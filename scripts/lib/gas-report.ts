import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJson } from "./json-file.ts";
import { run } from "./run.ts";

/** Gas of the calls of one function in one scenario file, as whole transactions. */
export interface FunctionGas {
  readonly min: number;
  readonly median: number;
  readonly max: number;
  readonly calls: number;
}

export interface ContractGas {
  /** Null when only another contract's constructor makes it. */
  readonly deployment: { readonly gas: number; readonly bytes: number } | null;
  readonly functions: Readonly<Record<string, FunctionGas>>;
}

/** What docs/gas.json holds, by contract name. */
export type GasReport = Readonly<Record<string, ContractGas>>;

/** The part used of what Hardhat writes for --gas-stats-json. */
export interface HardhatGasStats {
  readonly contracts: Readonly<
    Record<
      string,
      {
        readonly sourceName: string;
        readonly contractName: string;
        readonly deployment: { readonly median: number; readonly runtimeSize: number } | null;
        readonly functions: Readonly<
          Record<string, { min: number; max: number; median: number; count: number }>
        > | null;
      }
    >
  >;
}

export const GAS_FILE = "docs/gas.json";

/** A change up to this part of the committed number is let pass. */
export const GAS_TOLERANCE = 0.01;

/** The scenarios: tests of fixed inputs. Fuzzed tests would measure something else each time. */
const SCENARIOS = "test/contracts/gas/*.t.sol";

/** The scenarios did not run to their end; the message is what Hardhat printed. */
export class GasMeasurementError extends Error {
  override readonly name = "GasMeasurementError";
}

/**
 * Runs the gas scenarios and returns what the product's contracts used. The same sources give the same numbers.
 *
 * @throws GasMeasurementError when a scenario fails or there is none.
 */
export async function measureGas(): Promise<GasReport> {
  const files = globSync(SCENARIOS).sort();
  if (files.length === 0) throw new GasMeasurementError(`There is no ${SCENARIOS}.`);
  const directory = mkdtempSync(join(tmpdir(), "svc-gas-"));
  try {
    const path = join(directory, "gas.json");
    const args = ["test", "solidity", ...files, "--gas-stats-json", path];
    const { exitCode, output } = await run("hardhat", args);
    if (exitCode !== 0) throw new GasMeasurementError(output);
    return reportOf(readJson<HardhatGasStats>(path));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Hardhat's statistics without test doubles, the stand-ins for the official registries, and what tests declare. */
export function reportOf({ contracts }: HardhatGasStats): GasReport {
  const ours = Object.values(contracts)
    .filter(({ sourceName }) => /^contracts\/(?!mocks\/|erc8004\/)/.test(sourceName))
    .sort((a, b) => (a.contractName < b.contractName ? -1 : 1));
  return Object.fromEntries(
    ours.map(({ contractName, deployment, functions }) => [
      contractName,
      {
        deployment: deployment && { gas: deployment.median, bytes: deployment.runtimeSize },
        functions: Object.fromEntries(
          Object.entries(functions ?? {})
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, { min, median, max, count }]) => [
              name,
              { min, median, max, calls: count },
            ]),
        ),
      },
    ]),
  );
}

/**
 * Every difference that matters, as a sentence each: what is new or gone, and what changed by more than the tolerance, in
 * either direction, so that a saving which is not recorded cannot be lost again unseen.
 */
export function compareGas(committed: GasReport, measured: GasReport): string[] {
  const before = flatten(committed);
  const after = flatten(measured);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === undefined) return [`${name} is new: ${now}.`];
    if (now === undefined) return [`${name} is no longer measured.`];
    if (Math.abs(now - old) <= old * GAS_TOLERANCE) return [];
    const percent = (((now - old) / old) * 100).toFixed(1);
    return [`${name} was ${old} and is ${now} (${now > old ? "+" : ""}${percent} %).`];
  });
}

/** One number per name. The number of calls is left out: it says how often was measured, not what. */
function flatten(report: GasReport): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const [contract, { deployment, functions }] of Object.entries(report)) {
    if (deployment) {
      numbers.set(`${contract} (deployment)`, deployment.gas);
      numbers.set(`${contract} (bytes)`, deployment.bytes);
    }
    for (const [name, { min, median, max }] of Object.entries(functions)) {
      numbers.set(`${contract}.${name} (least)`, min);
      numbers.set(`${contract}.${name} (median)`, median);
      numbers.set(`${contract}.${name} (most)`, max);
    }
  }
  return numbers;
}

/** The report as its file's content. */
export function gasFileContent(report: GasReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
