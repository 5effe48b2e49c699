import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Abi, Hex } from "viem";
import { readJson } from "./json-file.ts";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

export interface Artifact {
  readonly contractName: string;
  readonly sourceName: string;
  readonly abi: Abi;
  /** The creation code, without arguments. */
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

/**
 * The compiled contracts that are deployed: the protocol's and the local ERC-8004 registries,
 * sorted by name. Interfaces and abstract contracts have no code; libraries and test doubles are in
 * other folders.
 */
export function deployableContracts(): Artifact[] {
  return compiled("artifacts/contracts/{,erc8004/}*.sol/*.json");
}

/**
 * Every compiled contract that is sent to a chain: those above and the adapters.
 */
export function sentContracts(): Artifact[] {
  return compiled("artifacts/contracts/{,erc8004/,verifiers/}*.sol/*.json");
}

/**
 * The product's compiled contracts: the deployed ones without examples and local ERC-8004
 * registries.
 */
export function productContracts(): Artifact[] {
  return compiled("artifacts/contracts/{,verifiers/}*.sol/*.json");
}

function compiled(pattern: string): Artifact[] {
  return globSync(pattern, { cwd: ROOT })
    .map((path) => readJson<Artifact>(join(ROOT, path)))
    .filter(({ deployedBytecode }) => deployedBytecode !== "0x")
    .sort((a, b) => (a.contractName < b.contractName ? -1 : 1));
}

/** The compiled contract of this name that is deployed. */
export function artifactOf(contractName: string): Artifact {
  const paths = globSync(`artifacts/contracts/**/${contractName}.json`, { cwd: ROOT });
  if (paths.length !== 1) {
    throw new Error(`${paths.length} compiled contracts are called ${contractName}, not one.`);
  }
  return readJson<Artifact>(join(ROOT, paths[0] as string));
}
