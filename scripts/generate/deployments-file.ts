import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "viem";
import { readJson } from "../lib/json-file.ts";
import type { GeneratedFile } from "./generated-file.ts";

/** Written by every local deployment, and by no other. */
const LOCAL_FILE = "local.json";

/** The part used of `deployments/<network>.json`. */
export interface DeploymentFile {
  readonly chainId: number;
  readonly startBlock: number;
  readonly contracts: Readonly<Record<string, Address | null>>;
}

/** The deployments in `directory`, without the local one, in the order of the files' names. */
export function publicDeployments(directory = "deployments"): DeploymentFile[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((file) => file.endsWith(".json") && file !== LOCAL_FILE)
    .sort()
    .map((file) => readJson<DeploymentFile>(join(directory, file)));
}

/** The module from which the package tells integrators the addresses. */
export function deploymentsFile(directory = "deployments"): GeneratedFile {
  const byChain = Object.fromEntries(
    publicDeployments(directory).map(({ chainId, startBlock, contracts }) => [
      chainId,
      { chainId, startBlock, contracts },
    ]),
  );
  return {
    path: "protocol/generated/deployments.ts",
    content: `// Written by \`npm run generate\` from deployments/.

/** By chain id. */
export const deployments = ${JSON.stringify(byChain, null, 2)} as const;
`,
  };
}
