import { readFileSync } from "node:fs";
import { type Address, getAddress } from "viem";

/** The contracts whose events are indexed, by their names in a deployment file. */
export const INDEXED = [
  "agentKeys",
  "alignmentRegistry",
  "allowanceVault",
  "bindingRegistry",
  "chronicleAnchor",
  "humanVerifierRegistry",
  "identityRegistry",
  "organizationRegistry",
  "passportMint",
  "passportWriter",
  "reputationRegistry",
  "soulCertificate",
  "soulRegistry",
] as const;

/** What the indexer reads from a deployment file: contract addresses and first blocks. */
export interface IndexedDeployment {
  chainId: number;
  contracts: Readonly<Record<(typeof INDEXED)[number], Address>> & {
    /** Null on chains where ERC-8004 has no validation registry. */
    readonly validationRegistry: Address | null;
  };
  /** First block that can hold an event of this protocol's own contracts. */
  startBlock: number;
  /**
   * First block read of the ERC-8004 registries. On a public chain they are older than this
   * protocol: set the identity registry's own deployment block to index earlier passports. Defaults
   * to `startBlock`.
   */
  identityRegistryStartBlock: number;
}

/** The deployment file is incomplete or malformed; the message names the file and the field. */
export class DeploymentFileError extends Error {
  override readonly name = "DeploymentFileError";
}

/**
 * Reads the deployment file at `path` (see `deployments/`).
 *
 * @throws DeploymentFileError when the file cannot be read or a field is malformed.
 */
export function readIndexedDeployment(path: string): IndexedDeployment {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new DeploymentFileError(`The deployment file ${path} cannot be read.`, { cause });
  }
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (cause) {
    throw new DeploymentFileError(`The deployment file ${path} is not JSON.`, { cause });
  }

  const field = (key: string): unknown =>
    key.split(".").reduce<unknown>((value, part) => {
      return typeof value === "object" && value !== null
        ? (value as Record<string, unknown>)[part]
        : undefined;
    }, file);
  const fail = (key: string, expected: string): never => {
    throw new DeploymentFileError(`${key} in ${path} is not ${expected}.`);
  };
  const integer = (key: string): number => {
    const value = field(key);
    return Number.isSafeInteger(value) && (value as number) >= 0
      ? (value as number)
      : fail(key, "a non-negative integer");
  };
  const address = (key: string): Address => {
    try {
      return getAddress(String(field(key)));
    } catch {
      return fail(key, "an address");
    }
  };

  const startBlock = integer("startBlock");
  return {
    chainId: integer("chainId"),
    contracts: {
      ...Object.fromEntries(INDEXED.map((name) => [name, address(`contracts.${name}`)] as const)),
      validationRegistry:
        field("contracts.validationRegistry") === null
          ? null
          : address("contracts.validationRegistry"),
    } as IndexedDeployment["contracts"],
    startBlock,
    identityRegistryStartBlock:
      field("identityRegistryStartBlock") === undefined
        ? startBlock
        : integer("identityRegistryStartBlock"),
  };
}
