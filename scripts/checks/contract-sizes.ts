import type { Abi, AbiParameter } from "viem";
import type { Artifact } from "../lib/artifacts.ts";

/**
 * The chain's limits in bytes: deployed code (EIP-170), and creation code with its arguments
 * (EIP-3860).
 */
const RUNTIME_LIMIT = 24_576;
const INIT_LIMIT = 49_152;

/** The usable part of a limit; the rest is a reserve for fixes. */
const USABLE = 0.93;

/**
 * A dynamic constructor argument is a short text: two words of offset and length, and two of
 * content.
 */
const DYNAMIC_ARGUMENT_BYTES = 4 * 32;

export interface ContractSize {
  readonly contractName: string;
  readonly runtime: number;
  readonly init: number;
}

/** Sizes in bytes; the creation code is counted with the arguments of its constructor. */
export function contractSizes(
  contracts: readonly Pick<Artifact, "contractName" | "abi" | "bytecode" | "deployedBytecode">[],
): ContractSize[] {
  return contracts.map(({ contractName, abi, bytecode, deployedBytecode }) => ({
    contractName,
    runtime: bytesOf(deployedBytecode),
    init: bytesOf(bytecode) + argumentBytes(abi),
  }));
}

/** A table of all contracts when one is too large or none was compiled; otherwise empty. */
export function sizeProblems(sizes: readonly ContractSize[]): string {
  if (sizes.length === 0) return "There are no compiled contracts.";
  const large = sizes.filter(isTooLarge);
  if (large.length === 0) return "";
  const names = large.map(({ contractName }) => contractName).join(", ");
  return [
    `Too large: ${names}. A contract may use 93 % of what the chain accepts: ${grouped(RUNTIME_LIMIT * USABLE)} bytes of code and ${grouped(INIT_LIMIT * USABLE)} of creation code. Move code into another contract.`,
    table(sizes),
  ].join("\n");
}

/** The largest code and the largest creation code, in one line. */
export function largestSizes(sizes: readonly ContractSize[]): string {
  const largest = (key: "runtime" | "init", limit: number) => {
    const [first] = [...sizes].sort((a, b) => b[key] - a[key]);
    return first === undefined
      ? "none"
      : `${first.contractName} ${grouped(first[key])} bytes (${percent(first[key], limit)})`;
  };
  return `Largest code: ${largest("runtime", RUNTIME_LIMIT)}; largest creation code: ${largest("init", INIT_LIMIT)}. At most 93 % are allowed.`;
}

function isTooLarge({ runtime, init }: ContractSize): boolean {
  return runtime > RUNTIME_LIMIT * USABLE || init > INIT_LIMIT * USABLE;
}

function table(sizes: readonly ContractSize[]): string {
  const rows = [...sizes]
    .sort((a, b) => b.runtime - a.runtime)
    .map((size) => [
      size.contractName,
      grouped(size.runtime),
      percent(size.runtime, RUNTIME_LIMIT),
      grouped(size.init),
      percent(size.init, INIT_LIMIT),
      isTooLarge(size) ? "too large" : "",
    ]);
  const all = [["contract", "code", "of limit", "creation", "of limit", ""], ...rows];
  const widths = all[0]?.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths?.[column] ?? 0;
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function argumentBytes(abi: Abi): number {
  const inputs = abi.find((item) => item.type === "constructor")?.inputs ?? [];
  return inputs.reduce((sum, input) => sum + bytesOfArgument(input), 0);
}

function bytesOfArgument({ type }: AbiParameter): number {
  return type === "string" || type === "bytes" ? DYNAMIC_ARGUMENT_BYTES : 32;
}

function bytesOf(hex: string): number {
  return (hex.length - "0x".length) / 2;
}

function percent(bytes: number, limit: number): string {
  return `${((bytes / limit) * 100).toFixed(1)} %`;
}

function grouped(bytes: number): string {
  return Math.floor(bytes).toLocaleString("en-US");
}
