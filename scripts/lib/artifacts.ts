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
  readonly deployedBytecode: Hex;
}

/**
 * The compiled contracts that are deployed: ours and the local ERC-8004 registries, in the order of their names. Interfaces and
 * abstract contracts have no code; libraries and test doubles live in folders of their own.
 */
export function deployableContracts(): Artifact[] {
  return globSync(["artifacts/contracts/*.sol/*.json", "artifacts/contracts/erc8004/*.sol/*.json"])
    .map((path) => readJson<Artifact>(path))
    .filter(({ deployedBytecode }) => deployedBytecode !== "0x")
    .sort((a, b) => (a.contractName < b.contractName ? -1 : 1));
}

/** The compiled contracts of the product: those that are deployed, without examples and the local ERC-8004 registries. */
export function productContracts(): Artifact[] {
  return globSync("artifacts/contracts/{,verifiers/}*.sol/*.json", { cwd: ROOT })
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

/** Bytes of code on chain. */
export function deployedSize({ deployedBytecode }: Artifact): number {
  return (deployedBytecode.length - "0x".length) / 2;
}
