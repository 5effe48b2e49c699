import { globSync } from "node:fs";
import type { Abi, Hex } from "viem";
import { readJson } from "./json-file.ts";

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

/** Bytes of code on chain. */
export function deployedSize({ deployedBytecode }: Artifact): number {
  return (deployedBytecode.length - "0x".length) / 2;
}
