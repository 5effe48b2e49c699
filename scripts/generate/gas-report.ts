import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Abi, toFunctionSignature } from "viem";
import { readJson } from "../lib/json-file.ts";
import { run } from "../lib/run.ts";

/** Gas of the calls of one function in one scenario file, as whole transactions. */
export interface FunctionGas {
  readonly min: number;
  readonly median: number;
  readonly max: number;
  readonly calls: number;
}

export interface ContractGas {
  /** Null when only another contract's constructor creates it. */
  readonly deployment: { readonly gas: number; readonly bytes: number } | null;
  readonly functions: Readonly<Record<string, FunctionGas>>;
}

/** What docs/gas.json holds, by contract name. */
export type GasReport = Readonly<Record<string, ContractGas>>;

/** The used part of Hardhat's --gas-stats-json. */
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

/** A change of at most this part of the committed number is accepted. */
const GAS_TOLERANCE = 0.01;

/**
 * Functions that no scenario can measure, by contract and name as in the report, with the reason.
 * All others must be in the report.
 */
const UNMEASURED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SoulCertificate: {
    approve: "always reverts",
    setApprovalForAll: "always reverts",
    transferFrom: "always reverts: a certificate does not move",
    "safeTransferFrom(address,address,uint256)": "as transferFrom",
    "safeTransferFrom(address,address,uint256,bytes)": "as transferFrom",
  },
  Registrars: {
    changeDefaultAdminDelay: "always reverts: the delay is fixed at deployment",
    rollbackDefaultAdminDelay: "as changeDefaultAdminDelay",
  },
  PassportMint: {
    onERC721Received: "answers only within a registration, whose gas holds its own",
  },
};

/** The scenarios: tests with fixed inputs. Fuzzed tests would give different numbers each time. */
const SCENARIOS = "test/contracts/gas/*.t.sol";

/** The scenarios did not finish; the message is Hardhat's output. */
class GasMeasurementError extends Error {
  override readonly name = "GasMeasurementError";
}

/**
 * Runs the gas scenarios and returns what the product's contracts used. The same sources give the same numbers.
 *
 * @throws GasMeasurementError when a scenario fails or is missing.
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

/**
 * Hardhat's statistics without test doubles, examples, local ERC-8004 registries and contracts
 * declared in tests.
 */
export function reportOf({ contracts }: HardhatGasStats): GasReport {
  const ours = Object.values(contracts)
    .filter(({ sourceName }) => /^contracts\/(?!mocks\/|erc8004\/|examples\/)/.test(sourceName))
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
 * Every relevant difference as a sentence: new and removed entries, and changes above the tolerance
 * in either direction, so that a saving must be recorded too.
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

/**
 * A sentence for every public function that is neither measured nor exempt, and for every exemption
 * that is no longer needed.
 */
export function unmeasuredFunctions(
  contracts: readonly { readonly contractName: string; readonly abi: Abi }[],
  measured: GasReport,
  excused: Readonly<Record<string, Readonly<Record<string, string>>>> = UNMEASURED,
): string[] {
  const all = contracts.flatMap(({ contractName, abi }) =>
    reportedNames(abi).map((name) => [contractName, name] as const),
  );
  const missing = all
    .filter(([contract, name]) => measured[contract]?.functions[name] === undefined)
    .filter(([contract, name]) => excused[contract]?.[name] === undefined)
    .map(([contract, name]) => `${contract}.${name} is in no scenario of ${SCENARIOS}.`);
  const idle = Object.entries(excused).flatMap(([contract, names]) =>
    Object.keys(names)
      .filter(
        (name) =>
          measured[contract]?.functions[name] !== undefined ||
          !all.some(([ours, existing]) => ours === contract && existing === name),
      )
      .map((name) => `${contract}.${name} is exempt from measuring, but is measured or gone.`),
  );
  return [...missing, ...idle];
}

/** Hardhat's names: overloaded functions by signature, others by name. */
function reportedNames(abi: Abi): string[] {
  const functions = abi.filter((item) => item.type === "function");
  return functions.map((item) =>
    functions.filter(({ name }) => name === item.name).length > 1
      ? toFunctionSignature(item)
      : item.name,
  );
}

/**
 * One number per name. The number of calls is left out: it describes the scenario, not the
 * contract.
 */
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
