import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "viem";
import { clearSigningDescriptor } from "../../protocol/clear-signing.ts";
import { SIGNED_TYPES, type SignedContract } from "../../protocol/signed-messages.ts";
import { readJson } from "../lib/json-file.ts";
import type { GeneratedFile } from "./generated-file.ts";

/** Written by every local deployment, and by no other. */
const LOCAL_FILE = "local.json";

interface DeploymentFile {
  readonly chainId: number;
  readonly contracts: Readonly<Record<string, Address | null>>;
}

/** An ERC-7730 descriptor for each contract, bound to the deployments in `directory`. */
export function clearSigningFiles(directory = "deployments"): GeneratedFile[] {
  const deployments = existsSync(directory)
    ? readdirSync(directory)
        .filter((file) => file.endsWith(".json") && file !== LOCAL_FILE)
        .sort()
        .map((file) => readJson<DeploymentFile>(join(directory, file)))
    : [];
  return (Object.keys(SIGNED_TYPES) as SignedContract[]).map((contract) => {
    const key = `${contract.charAt(0).toLowerCase()}${contract.slice(1)}`;
    const places = deployments.flatMap(({ chainId, contracts }) => {
      const address = contracts[key];
      return address ? [{ chainId, address }] : [];
    });
    return {
      path: `docs/erc7730/${contract}.json`,
      content: `${JSON.stringify(clearSigningDescriptor(contract, places), null, 2)}\n`,
    };
  });
}
